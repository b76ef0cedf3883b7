// Package wrapped uses pools through wrappers of another package, and through interfaces.
package wrapped

import (
	"bytes"
	"io"
	"sync"

	"wrapped/pools"
)

// Through functions that are given the pool.

var lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func line(w io.Writer, s string) error {
	b := pools.Take[*bytes.Buffer](&lines)
	defer pools.Give(&lines, b) // want "lines keeps b, put at line 18, whatever its size"
	b.WriteString(s)            // want "b, taken from lines at line 17, is written to without a reset"
	_, err := w.Write(b.Bytes())
	return err
}

var rows = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func row(w io.Writer, s string) error {
	b := pools.Take[*bytes.Buffer](&rows)
	b.Reset()
	b.WriteString(s)
	_, err := w.Write(b.Bytes())
	if b.Cap() <= 1<<16 {
		pools.Give(&rows, b)
	}
	return err
}

// Through a typed pool.

var pages = pools.New(func() *bytes.Buffer { return new(bytes.Buffer) })

func page(w io.Writer, s string) error {
	b := pages.Get()
	b.WriteString(s) // want "b, taken from pages at line 42, is written to without a reset"
	_, err := w.Write(b.Bytes())
	pages.Put(b) // want "pages keeps b, put at line 45, whatever its size"
	return err
}

type heads struct{ pool *pools.Typed[*bytes.Buffer] }

func (h *heads) head(w io.Writer, s string) error {
	b := h.pool.Get()
	b.Reset()
	b.WriteString(s)
	_, err := w.Write(b.Bytes())
	h.pool.Put(b) // want "pool keeps b, put at line 56, whatever its size"
	return err
}

// One that makes its values itself.

var lists pools.Lazy[[]*int]

func collect(all ...*int) int {
	l := lists.Get()
	*l = append(*l, all...)
	n := len(*l)
	if n > 1000 {
		return n
	}
	*l = (*l)[:0]
	lists.Put(l) // want "\\*l is cut to length 0 \\(line 71\\) but not cleared"
	return n
}

var cleared pools.Lazy[[]*string]

func collectAndClear(all ...*string) int {
	l := cleared.Get()
	*l = append(*l, all...)
	n := len(*l)
	if cap(*l) > 1000 {
		return n
	}
	clear(*l)
	*l = (*l)[:0]
	cleared.Put(l)
	return n
}

// One that drops what is too large.

var parts pools.Capped

func part(w io.Writer, s string) error {
	b := parts.Get()
	defer parts.Put(b)
	b.WriteString(s) // want "b, taken from parts at line 96, is written to without a reset"
	_, err := w.Write(b.Bytes())
	return err
}

// One that empties what it is given.

var clean pools.Clean[*bytes.Buffer]

func tidy(w io.Writer, s string) error {
	b := clean.Get()
	defer clean.Put(b)
	b.WriteString(s)
	_, err := w.Write(b.Bytes())
	return err
}

// The other package's own.

func own(w io.Writer, s string) error {
	b := pools.GetBuffer()
	defer pools.PutBuffer(b) // want "buffers keeps b, put at line 119, whatever its size"
	b.WriteString(s)         // want "b, taken from buffers at line 118, is written to without a reset"
	_, err := w.Write(b.Bytes())
	return err
}

// Through a variable of an interface type that is a pool, whatever it is called.

type cache interface {
	Get() any
	Put(any)
}

var held cache = &sync.Pool{New: func() any { return new(bytes.Buffer) }}

func hold(w io.Writer, s string) error {
	b := held.Get().(*bytes.Buffer)
	b.WriteString(s) // want "b, taken from held at line 135, is written to without a reset"
	_, err := w.Write(b.Bytes())
	held.Put(b) // want "held keeps b, put at line 138, whatever its size"
	return err
}

// One that may be something else, which may empty what it is given.

type holder struct{ pool cache }

func newHolder(c cache) *holder { return &holder{pool: c} }

func (h *holder) hold(w io.Writer, s string) error {
	b := h.pool.Get().(*bytes.Buffer)
	b.WriteString(s)
	_, err := w.Write(b.Bytes())
	h.pool.Put(b)
	return err
}

// Through an interface that is a pool and only holds one of the package's own.

type bufferPool interface {
	Get() *bytes.Buffer
	Put(*bytes.Buffer)
}

type syncBuffers struct{ p sync.Pool }

func (s *syncBuffers) Get() *bytes.Buffer {
	if b, ok := s.p.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (s *syncBuffers) Put(b *bytes.Buffer) {
	if b.Cap() < 1<<16 {
		s.p.Put(b)
	}
}

type server struct{ pool bufferPool }

func newServer() *server { return &server{pool: &syncBuffers{}} }

func (s *server) serve(w io.Writer, x string) error {
	b := s.pool.Get()
	b.WriteString(x) // want "b, taken from pool at line 183, is written to without a reset"
	_, err := w.Write(b.Bytes())
	s.pool.Put(b)
	return err
}

// One of two, of which one empties what it is given.

type cleanBuffers struct{ p sync.Pool }

func (s *cleanBuffers) Get() *bytes.Buffer { return s.p.Get().(*bytes.Buffer) }

func (s *cleanBuffers) Put(b *bytes.Buffer) {
	b.Reset()
	s.p.Put(b)
}

type other struct{ pool bufferPool }

func newOther(clean bool) *other {
	if clean {
		return &other{pool: &cleanBuffers{}}
	}
	return &other{pool: &syncBuffers{}}
}

func (s *other) serve(w io.Writer, x string) error {
	b := s.pool.Get()
	b.WriteString(x)
	_, err := w.Write(b.Bytes())
	s.pool.Put(b)
	return err
}
