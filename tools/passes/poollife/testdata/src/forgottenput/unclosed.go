package forgottenput

import (
	"bytes"
	"io"
)

// Close forgets what only Advance puts.
type reader struct {
	r       io.Reader
	buf     *bytes.Buffer
	scratch *bytes.Buffer
}

func newReader(r io.Reader) *reader { return &reader{r: r, buf: get()} }
func (r *reader) Peek() []byte {
	if r.scratch == nil {
		r.scratch = get()
	}
	r.scratch.Write(r.buf.Bytes())
	return r.scratch.Bytes()
}
func (r *reader) Advance() {
	if r.scratch != nil {
		put(r.scratch)
		r.scratch = nil
	}
}
func (r *reader) Close() error { // want `puts what buf holds, but not what scratch holds, which only Advance puts`
	put(r.buf)
	r.buf = nil
	return nil
}

// Close calls Advance.
type reader2 struct {
	buf     *bytes.Buffer
	scratch *bytes.Buffer
}

func newReader2(r io.Reader) *reader2 { return &reader2{buf: get()} }
func (r *reader2) Peek() []byte {
	if r.scratch == nil {
		r.scratch = get()
	}
	return r.scratch.Bytes()
}
func (r *reader2) Advance() {
	if r.scratch != nil {
		put(r.scratch)
		r.scratch = nil
	}
}
func (r *reader2) Close() error {
	r.Advance()
	put(r.buf)
	r.buf = nil
	return nil
}

// Close sets the list to nil.
type list struct {
	bufs []*bytes.Buffer
	main *bytes.Buffer
}

func (l *list) Add() *bytes.Buffer {
	b := get()
	l.bufs = append(l.bufs, b)
	return b
}
func (l *list) Release() {
	for i, b := range l.bufs {
		put(b)
		l.bufs[i] = nil
	}
	l.bufs = l.bufs[:0]
}
func (l *list) Close() {
	l.bufs = nil // want `is set to nil while it may hold a value taken from pool`
}

// Close sets the field to nil.
type one struct{ buf *bytes.Buffer }

func (o *one) Open()    { o.buf = get() }
func (o *one) Recycle() { put(o.buf); o.buf = nil }
func (o *one) Close() {
	o.buf = nil // want `is set to nil while it may hold a value taken from pool`
}

// The chunks are put by the goroutine that sends them.
type sender struct {
	head   *bytes.Buffer
	chunks []*bytes.Buffer
	wake   chan struct{}
}

func (s *sender) Start() {
	s.head = get()
	go s.run()
}

func (s *sender) Add() { s.chunks = append(s.chunks, get()) }

func (s *sender) run() {
	for range s.wake {
		s.flush()
	}
}

func (s *sender) flush() {
	for _, c := range s.chunks {
		put(c)
	}
	s.chunks = s.chunks[:0]
}

func (s *sender) Close() {
	put(s.head)
	s.head = nil
}

// The scratch buffer lives for one call.
type caller struct{ conn, scratch *bytes.Buffer }

func (c *caller) Dial() { c.conn = get() }

func (c *caller) begin() { c.scratch = get() }

func (c *caller) end() {
	put(c.scratch)
	c.scratch = nil
}

func (c *caller) Call() {
	c.begin()
	c.scratch.WriteString("x")
	c.end()
}

func (c *caller) Close() {
	put(c.conn)
	c.conn = nil
}
