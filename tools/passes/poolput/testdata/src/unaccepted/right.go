package unaccepted

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"sync"
)

// What is put has the methods, or may have them.

var opened sync.Pool

func reopened(r io.Reader) io.ReadCloser {
	if z, ok := opened.Get().(io.ReadCloser); ok {
		return z
	}
	return flate.NewReader(r)
}

func close1(z *gzip.Reader) { opened.Put(z) }
func Close2(z io.Closer)    { opened.Put(z) }

// Somebody else takes it as what it is.

var mixedKinds sync.Pool

func mixedReader(r io.Reader) io.Reader {
	if z, ok := mixedKinds.Get().(io.Reader); ok {
		return z
	}
	return flate.NewReader(r)
}

func mixedWriter() *gzip.Writer {
	z, _ := mixedKinds.Get().(*gzip.Writer)
	return z
}

func giveMixed(z *gzip.Writer) { mixedKinds.Put(z) }

// A function that is given the pool takes it.

var lent sync.Pool

func taken[T any](p *sync.Pool) (t T) {
	if x, ok := p.Get().(T); ok {
		return x
	}
	return t
}

func lentBuffer() *bytes.Buffer { return taken[*bytes.Buffer](&lent) }

func lentScanner() io.ByteScanner {
	s, _ := lent.Get().(io.ByteScanner)
	return s
}

func giveLent(z *gzip.Writer) { lent.Put(z) }

// What is no reader goes on as it is.

var passed sync.Pool

func pass(use func(any)) {
	v := passed.Get()
	if s, ok := v.(io.ByteScanner); ok {
		s.ReadByte()
		passed.Put(s)
	} else {
		use(v)
		passed.Put(v)
	}
}

func givePassed(z *gzip.Writer) { passed.Put(z) }

// A field leads to one pool or another.

type handle struct{ home *sync.Pool }

var readerHome, writerHome sync.Pool

func (h *handle) reader() io.Reader {
	r, _ := h.home.Get().(io.Reader)
	return r
}

func (h *handle) giveWriter(z *gzip.Writer) { h.home.Put(z) }

func handles() (r, w *handle) { return &handle{&readerHome}, &handle{&writerHome} }
