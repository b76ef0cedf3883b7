package takenas

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// Wrong: what is put is an io.Reader there, and a *frames where it is taken; it keeps its source.
type frames struct {
	src io.Reader
	n   int
}

func (f *frames) Reset(src io.Reader) { f.src, f.n = src, 0 }

func (f *frames) Read(p []byte) (int, error) {
	n, err := f.src.Read(p)
	f.n += n
	return n, err
}

type readers interface {
	get(io.Reader) io.Reader
	put(io.Reader)
}

type framePool struct{ p sync.Pool }

func (f *framePool) get(src io.Reader) io.Reader {
	if r, ok := f.p.Get().(*frames); ok {
		r.Reset(src)
		return r
	}
	return &frames{src: src}
}

func (f *framePool) put(r io.Reader) {
	f.p.Put(r) // want `r, the pooled frames, still leads to what it was given`
}

func decode(page []byte, p readers) ([]byte, error) {
	r := p.get(bytes.NewReader(page))
	defer p.put(r)
	return io.ReadAll(r)
}

// Wrong: the same with a type of the standard library.
var bufs = &sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func takeBuf(src *bytes.Reader) io.Reader {
	r := bufs.Get().(*bufio.Reader)
	r.Reset(src)
	return r
}

func giveBuf(r io.Reader) {
	bufs.Put(r) // want `r, the pooled bufio\.Reader, still leads to what it was given`
}

func lines(src *bytes.Reader, use func(io.Reader)) {
	r := takeBuf(src)
	use(r)
	giveBuf(r)
}

// Right: let go of before the Put.
type limits struct{ src io.Reader }

func (l *limits) Reset(src io.Reader) { l.src = src }

func (l *limits) Read(p []byte) (int, error) { return l.src.Read(p) }

type limitPool struct{ p sync.Pool }

func (f *limitPool) get(src io.Reader) io.Reader {
	if r, ok := f.p.Get().(*limits); ok {
		r.Reset(src)
		return r
	}
	return &limits{src: src}
}

func (f *limitPool) put(r io.Reader) {
	r.(*limits).Reset(nil)
	f.p.Put(r)
}

func read(page []byte, p readers) ([]byte, error) {
	r := p.get(bytes.NewReader(page))
	defer p.put(r)
	return io.ReadAll(r)
}

// Right: taken as one of two types, so that nobody knows what is put.
type pairs struct{ src io.Reader }

func (l *pairs) Reset(src io.Reader) { l.src = src }

func (l *pairs) Read(p []byte) (int, error) { return l.src.Read(p) }

type triples struct{ src io.Reader }

func (l *triples) Reset(src io.Reader) { l.src = src }

func (l *triples) Read(p []byte) (int, error) { return l.src.Read(p) }

var mixed sync.Pool

func takePairs(b []byte) io.Reader {
	if r, ok := mixed.Get().(*pairs); ok {
		r.Reset(bytes.NewReader(b))
		return r
	}
	return &pairs{bytes.NewReader(b)}
}

func takeTriples(b []byte) io.Reader {
	if r, ok := mixed.Get().(*triples); ok {
		r.Reset(bytes.NewReader(b))
		return r
	}
	return &triples{bytes.NewReader(b)}
}

func giveMixed(r io.Reader) { mixed.Put(r) }
