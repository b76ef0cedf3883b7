package fix

import "io"

func early(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	defer messages.Put(m) // want `put in messages a second time`
	m.id = id
	if id == 0 {
		messages.Put(m) // the deferred Put does it again
		return errID
	}
	if _, err := m.send(w); err != nil {
		messages.Put(m)
		return err
	}
	return nil
}

func literal(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	defer func() {
		messages.Put(m) // want `put in messages a second time`
	}()
	m.id = id
	if id == 0 {
		messages.Put(m)
		return errID
	}
	_, err := m.send(w)
	return err
}

func inARow(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	m.id = id
	_, err := m.send(w)
	messages.Put(m)
	if err != nil {
		messages.Put(m) // want `put in messages a second time`
		return err
	}
	return nil
}

func deferredTwice(w io.Writer, id uint64) error {
	m := acquire()
	defer release(m) // want `put in messages a second time`
	m.id = id
	if id == 0 {
		return errID
	}
	defer release(m)
	_, err := m.send(w)
	return err
}
