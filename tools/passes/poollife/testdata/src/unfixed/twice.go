package unfixed

import "io"

// The error's arm lacks a return.
func fallsThrough(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	m.id = id
	_, err := m.send(w)
	if err != nil {
		messages.Put(m)
	}
	messages.Put(m) // want `put in messages a second time`
	return err
}

// The first Put is the one that is wrong.
func tooEarly(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	m.id = id
	messages.Put(m)
	_, err := m.send(w) // want `m is used after it was put|m is .* after it was put`
	messages.Put(m)     // want `put in messages a second time`
	return err
}

// To close does more than to put.
type stream struct{ m *message }

func (s *stream) Close() {
	messages.Put(s.m)
}

func closedTwice(s *stream, w io.Writer) error {
	defer s.Close() // want `put in messages a second time`
	if _, err := s.m.send(w); err != nil {
		s.Close()
		return err
	}
	return nil
}

// An arm of its own would be left empty.
func arm(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	defer messages.Put(m) // want `put in messages a second time`
	m.id = id
	_, err := m.send(w)
	if err != nil {
		messages.Put(m)
	}
	return err
}

// The deferred call puts only sometimes.
func sometimes(w io.Writer, id uint64) (err error) {
	m := messages.Get().(*message)
	defer func() {
		if err != nil {
			messages.Put(m) // want `put in messages a second time`
		}
	}()
	m.id = id
	if _, err = m.send(w); err != nil {
		messages.Put(m)
		return err
	}
	messages.Put(m)
	return nil
}

// The variable holds another value when the deferred call runs.
func another(w io.Writer, id uint64) error {
	m := messages.Get().(*message)
	defer func() { messages.Put(m) }() // want `put in messages a second time`
	m.id = id
	for range 2 {
		messages.Put(m)
		if _, err := w.Write(nil); err != nil {
			return err
		}
		m = messages.Get().(*message)
	}
	return nil
}
