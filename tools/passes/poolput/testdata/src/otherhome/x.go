package otherhome

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// Writers of a level have a pool of their own, but one type of wrapper, which knows one pool.

var defaults sync.Pool

type pooledWriter struct {
	enc *flate.Writer
}

func (w *pooledWriter) Write(p []byte) (int, error) { return w.enc.Write(p) }

func (w *pooledWriter) Close() error {
	err := w.enc.Close()
	defaults.Put(w.enc) // want `field enc may hold a value from ofLevel \(line 39\), and what it holds is put in defaults: nothing goes back to ofLevel`
	w.enc = nil
	return err
}

func NewWriter(w io.Writer) (io.WriteCloser, error) {
	if enc, ok := defaults.Get().(*flate.Writer); ok {
		enc.Reset(w)
		return &pooledWriter{enc}, nil
	}
	enc, err := flate.NewWriter(w, flate.DefaultCompression)
	return &pooledWriter{enc}, err
}

func Level(level int) func(io.Writer) (io.WriteCloser, error) {
	var ofLevel sync.Pool
	return func(w io.Writer) (io.WriteCloser, error) {
		enc, ok := ofLevel.Get().(*flate.Writer)
		if !ok {
			var err error
			if enc, err = flate.NewWriter(w, level); err != nil {
				return nil, err
			}
		}
		enc.Reset(w)
		return &pooledWriter{enc: enc}, nil
	}
}

// The same with pools of the package, through a function that makes the wrapper.

var (
	short = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	long  = sync.Pool{New: func() any { b := new(bytes.Buffer); b.Grow(1 << 16); return b }}
)

type page struct{ body *bytes.Buffer }

func newPage(b *bytes.Buffer) *page {
	b.Reset()
	return &page{body: b}
}

func Short() *page { return newPage(short.Get().(*bytes.Buffer)) }

func Long() *page { return newPage(long.Get().(*bytes.Buffer)) }

func (p *page) Write(b []byte) (int, error) { return p.body.Write(b) }

func (p *page) Free() {
	if p.body.Cap() > 1<<20 {
		return
	}
	short.Put(p.body) // want `field body may hold a value from long \(line 67\), and what it holds is put in short: nothing goes back to long`
	p.body = nil
}
