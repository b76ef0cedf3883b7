package fix

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

type message struct {
	id   uint64
	body []byte
	tags []string
}

func (m *message) send(w io.Writer) (int, error) { return w.Write(m.body) }

func (m *message) Reset() { *m = message{body: m.body[:0]} }

var errID = errors.New("no id")

var messages = sync.Pool{New: func() any { return new(message) }}

func post(w io.Writer, id uint64) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		return errID
	}
	_, err := m.send(w)
	messages.Put(m)
	return err
}

// What is cleared for the Put on one path is cleared on the others.
func cleared(w io.Writer, id uint64, name string) (int, error) {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	switch id {
	case 0:
		return 0, fmt.Errorf("%s: no id", name)
	case 1:
		return 1, nil
	}
	n, err := m.send(w)
	m.tags = nil
	m.Reset()
	messages.Put(m)
	return n, err
}

// A wrapper, and a path that ends with the function.
func release(m *message) {
	m.Reset()
	messages.Put(m)
}

func acquire() *message { return messages.Get().(*message) }

func wrapped(w io.Writer, id uint64, log func(uint64)) {
	m := acquire() // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		release(m)
		return
	}
	log(id)
}

type server struct {
	pool sync.Pool
	mu   sync.Mutex
}

// Each round of the loop has its own.
func (s *server) each(w io.Writer, ids []uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		m := s.pool.Get().(*message) // want `not put back on the path that ends here`
		m.id = id
		if id == 0 {
			return errID
		}
		m.send(w)
		s.pool.Put(m)
	}
	return nil
}

// A slice that grows in place.
func grown(w io.Writer, s string) error {
	b := blocks.Get().([]byte) // want `not put back on the path that ends here`
	b = append(b[:0], s...)
	if len(s) > 512 {
		return errID
	}
	_, err := w.Write(b)
	blocks.Put(b)
	return err
}

var blocks = sync.Pool{New: func() any { return make([]byte, 0, 512) }}

// Inside a block, and with a return that calls a function of the parameters.
func nested(w io.Writer, ids []uint64, name string) error {
	if len(ids) > 0 {
		m := messages.Get().(*message) // want `not put back on the path that ends here`
		m.id = ids[0]
		if m.id > 9 {
			return fmt.Errorf("%s: %d ids", name, len(ids))
		}
		if _, err := m.send(w); err != nil {
			messages.Put(m)
			return err
		}
		messages.Put(m)
	}
	return nil
}

// An arm within an arm.
func within(w io.Writer, id uint64, again bool) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if again {
		if id == 0 {
			messages.Put(m)
			return errID
		}
		if id == 1 {
			return nil
		}
	}
	_, err := m.send(w)
	messages.Put(m)
	return err
}
