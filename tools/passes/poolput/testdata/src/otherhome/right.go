package otherhome

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// The wrapper knows the pool that its writer came from.

var plain sync.Pool

type homingWriter struct {
	enc  *flate.Writer
	home *sync.Pool
}

func (w *homingWriter) Close() error {
	err := w.enc.Close()
	w.home.Put(w.enc)
	w.enc = nil
	return err
}

func NewHoming(w io.Writer) io.Closer {
	if enc, ok := plain.Get().(*flate.Writer); ok {
		enc.Reset(w)
		return &homingWriter{enc, &plain}
	}
	enc, _ := flate.NewWriter(w, flate.DefaultCompression)
	return &homingWriter{enc, &plain}
}

func HomingLevel(level int) func(io.Writer) io.Closer {
	var pool sync.Pool
	return func(w io.Writer) io.Closer {
		enc, ok := pool.Get().(*flate.Writer)
		if !ok {
			enc, _ = flate.NewWriter(w, level)
		}
		enc.Reset(w)
		return &homingWriter{enc: enc, home: &pool}
	}
}

// Two kinds of wrappers, each with a pool.

var in, out = newBuffers(), newBuffers()

func newBuffers() *sync.Pool { return &sync.Pool{New: func() any { return new(bytes.Buffer) }} }

type request struct{ buf *bytes.Buffer }

type response struct{ buf *bytes.Buffer }

func newRequest() *request { return &request{in.Get().(*bytes.Buffer)} }

func newResponse() *response { return &response{out.Get().(*bytes.Buffer)} }

func (r *request) free() {
	r.buf.Reset()
	if r.buf.Cap() < 1<<16 {
		in.Put(r.buf)
	}
}

func (r *response) free() {
	r.buf.Reset()
	if r.buf.Cap() < 1<<16 {
		out.Put(r.buf)
	}
}

// Boxes that are empty and boxes that are full change places.

type box struct{ b *bytes.Buffer }

var full, empty sync.Pool

func put(b *bytes.Buffer) {
	x, _ := empty.Get().(*box)
	if x == nil {
		x = new(box)
	}
	x.b = b
	full.Put(x)
}

func get() *bytes.Buffer {
	x, _ := full.Get().(*box)
	if x == nil {
		return new(bytes.Buffer)
	}
	b := x.b
	x.b = nil
	empty.Put(x)
	return b
}

// What the second pool gave is put there by whoever has it, out of a variable.

var drafts, finals = sync.Pool{New: func() any { return new(bytes.Buffer) }}, sync.Pool{New: func() any { return new(bytes.Buffer) }}

type letter struct{ text *bytes.Buffer }

func draft() *letter { return &letter{drafts.Get().(*bytes.Buffer)} }

func (l *letter) drop() {
	l.text.Reset()
	if l.text.Cap() < 1<<16 {
		drafts.Put(l.text)
	}
}

func send(w io.Writer, s string) error {
	b := finals.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	_, err := w.Write(b.Bytes())
	if b.Cap() < 1<<16 {
		finals.Put(b)
	}
	return err
}
