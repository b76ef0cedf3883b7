package missingput

import "sync"

// Writers keep what was in the box, and make a box for the Put.

type crate struct{ b *[]byte }

type cratePool interface {
	Get() any
	Put(any)
}

type crateWriter struct {
	pool cratePool
	buf  *[]byte
}

func (w *crateWriter) begin() {
	if c, ok := w.pool.Get().(*crate); ok {
		w.buf = c.b
	} else {
		b := make([]byte, 100)
		w.buf = &b
	}
}

func (w *crateWriter) end() {
	w.pool.Put(&crate{w.buf})
	w.buf = nil
}

// The basket is put as it came, or not at all.
type basket struct{ b *[]byte }

type basketWriter struct {
	pool cratePool
	buf  *[]byte
}

func (w *basketWriter) begin() {
	if c, ok := w.pool.Get().(*basket); ok { // want `c, taken from pool at line 42, is not put back`
		w.buf = c.b
	}
}

func (w *basketWriter) end() {
	b := basket{w.buf}
	w.buf = nil
	_ = b
}

// Of any type.

type boxesOf[T any] struct{ p sync.Pool }

func (b *boxesOf[T]) take() T { return *b.p.Get().(*T) }

func (b *boxesOf[T]) give(v T) { b.p.Put(&v) }

// Nobody makes a box here, and what was taken out of one is all that goes back.

type noBoxesOf[T any] struct{ p sync.Pool }

func (b *noBoxesOf[T]) size() (n int) {
	v := b.p.Get().(*T) // want `v, taken from p at line 66, is not put back on any path`
	any(v).(interface{ Size(*int) }).Size(&n)
	return n
}
