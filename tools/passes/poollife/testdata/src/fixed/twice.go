package fixed

import "io"

func early(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	defer messages.Put(m)
	m.id = id
	if id == 0 {
		return errID
	}
	if _, err := m.send(w); err != nil {
		return err
	}
	return nil
}

func literal(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	defer func() {
		messages.Put(m)
	}()
	m.id = id
	if id == 0 {
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
		return err
	}
	return nil
}

func deferredTwice(w io.Writer, id uint64) error {
	m := acquire()
	defer release(m)
	m.id = id
	if id == 0 {
		return errID
	}
	_, err := m.send(w)
	return err
}
