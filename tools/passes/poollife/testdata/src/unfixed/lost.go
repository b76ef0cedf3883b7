// Package unfixed is code that no mechanical mend is known for: its reports come
// without a fix.
package unfixed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

type message struct {
	id   uint64
	body []byte
}

func (m *message) send(w io.Writer) (int, error) { return w.Write(m.body) }

func (m *message) Reset() { *m = message{body: m.body[:0]} }

var errID = errors.New("no id")

var messages, others = sync.Pool{New: func() any { return new(message) }}, sync.Pool{New: func() any { return new(message) }}

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The return works with the value.
func returnUses(w io.Writer, id uint64) (int, error) {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		return len(m.body), errID
	}
	n, err := m.send(w)
	messages.Put(m)
	return n, err
}

func returnUsesPart(w io.Writer, id uint64) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	body := m.body
	if id == 0 {
		return fmt.Errorf("no id: %x", body)
	}
	_, err := m.send(w)
	messages.Put(m)
	return err
}

// The name of the pool means something else there.
func shadowed(w io.Writer, id uint64) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		messages := errID
		return messages
	}
	_, err := m.send(w)
	messages.Put(m)
	return err
}

// So does the variable.
func reassigned(w io.Writer, id uint64, next func() *message) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		m = next()
		_, err := m.send(w)
		return err
	}
	_, err := m.send(w)
	messages.Put(m)
	return err
}

// What the deferred call works with came from the value.
func flushed(w io.Writer, s string) error {
	b := bufs.Get().(*bytes.Buffer) // want `not put back on the path that ends here`
	b.Reset()
	out := &writer{buf: b, w: w}
	defer out.flush()
	if s == "" {
		return errID
	}
	_, err := b.WriteString(s)
	bufs.Put(b)
	return err
}

type writer struct {
	buf *bytes.Buffer
	w   io.Writer
	n   int
}

func (w *writer) flush() { w.n = 0 }

// Two ways to put it: which is right here is not known.
func twoWays(w io.Writer, id uint64) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		return errID
	}
	if id == 1 {
		m.Reset()
		messages.Put(m)
		return nil
	}
	_, err := m.send(w)
	messages.Put(m)
	return err
}

// It is cleared in a place of its own.
func clearedBefore(w io.Writer, id uint64) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		return errID
	}
	m.Reset()
	if _, err := w.Write(nil); err != nil {
		messages.Put(m)
		return err
	}
	messages.Put(m)
	return nil
}

// Only some ways to the return lose it.
func merged(w io.Writer, id uint64) (err error) {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		err = errID
	} else {
		_, err = m.send(w)
		messages.Put(m)
	}
	return err
}

// Another path hands it over.
func handed(w io.Writer, id uint64) (*message, error) {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		return nil, errID
	}
	if _, err := m.send(w); err != nil {
		messages.Put(m)
		return nil, err
	}
	return m, nil
}

// A variable from before the Get holds part of the value.
func returnUsesHolder(w io.Writer, id uint64) (string, error) {
	var kept struct{ body []byte }
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	kept.body = m.body
	if id == 0 {
		return string(kept.body), errID
	}
	_, err := m.send(w)
	messages.Put(m)
	return "", err
}

// A test of the value decides about the Put.
func tested(w io.Writer, id uint64) error {
	m := messages.Get().(*message) // want `not put back on the path that ends here`
	m.id = id
	if id == 0 {
		return errID
	}
	_, err := m.send(w)
	if cap(m.body) < 1<<16 {
		messages.Put(m)
	}
	return err
}

// A literal that runs later has the value.
func deferredUse(w io.Writer, id uint64, log func(int)) error {
	m := messages.Get().(*message)      // want `not put back on the path that ends here`
	defer func() { log(len(m.body)) }() // want `m is read after it was put in messages`
	m.id = id
	if id == 0 {
		return errID
	}
	_, err := m.send(w)
	if err == nil {
		return nil
	}
	messages.Put(m)
	return err
}
