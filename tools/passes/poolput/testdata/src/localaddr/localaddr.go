package localaddr

import (
	"io"
	"sync"
)

// Addresses of slices that go to a pool through a function.

type buffers struct{ p sync.Pool }

func (b *buffers) get(n int) *[]byte {
	if s, ok := b.p.Get().(*[]byte); ok && cap(*s) >= n {
		*s = (*s)[:n]
		return s
	}
	s := make([]byte, n)
	return &s
}

func (b *buffers) put(s *[]byte) { b.p.Put(s) }

type writer struct {
	pool *buffers
	buf  []byte
	own  *[]byte
	dst  io.Writer
}

func (w *writer) start() { w.buf = *w.pool.get(1024) }

func (w *writer) finish() {
	b := w.buf
	w.pool.put(&b) // want `the address of the local variable b goes to a pool`
	w.buf = nil
}

func (w *writer) finishDeferred() error {
	b := w.buf[:0]
	defer w.pool.put(&b) // want `the address of the local variable b goes to a pool`
	_, err := w.dst.Write(w.buf)
	return err
}

// The pointer that came from the pool.

func (w *writer) startOwn() { w.own = w.pool.get(1024) }

func (w *writer) finishOwn() {
	w.pool.put(w.own)
	w.own = nil
}

// The field's own address.

func (w *writer) finishField() { w.pool.put(&w.buf) }

// Made here, put for the first time.

func (b *buffers) warm(n int) {
	for range n {
		s := make([]byte, 0, 1024)
		b.put(&s)
	}
}

// Grown, and stored back.

func (b *buffers) copy(dst io.Writer, src []byte) error {
	p := b.get(0)
	s := append((*p)[:0], src...)
	_, err := dst.Write(s)
	*p = s
	b.put(p)
	return err
}
