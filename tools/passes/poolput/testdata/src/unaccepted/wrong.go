// Package unaccepted has pools to which something goes that nobody who takes from them asserts.
package unaccepted

import (
	"compress/flate"
	"compress/gzip"
	"io"
	"sync"
)

// The writers' pool is a variable that a closure has; they go to that of the readers.

var expanders sync.Pool

type expanding struct{ z io.ReadCloser }

func expand(r io.Reader) io.ReadCloser {
	z, ok := expanders.Get().(io.ReadCloser)
	if ok {
		z.(flate.Resetter).Reset(r, nil)
	} else {
		z = flate.NewReader(r)
	}
	return &expanding{z}
}

func (e *expanding) Read(b []byte) (int, error) { return e.z.Read(b) }

func (e *expanding) Close() error {
	err := e.z.Close()
	expanders.Put(e.z)
	e.z = nil
	return err
}

type packing struct{ z *flate.Writer }

func (p *packing) Write(b []byte) (int, error) { return p.z.Write(b) }

func (p *packing) Close() error {
	if p.z == nil {
		return nil
	}
	err := p.z.Close()
	expanders.Put(p.z) // want `p\.z, a \*compress/flate\.Writer, is put in expanders, but it is not the io\.ReadCloser that is asserted on what comes from there \(line 18\); the pool of \*compress/flate\.Writer is packers`
	p.z = nil
	return err
}

func packed(level int) func(io.Writer) io.WriteCloser {
	var packers sync.Pool
	return func(w io.Writer) io.WriteCloser {
		z, ok := packers.Get().(*flate.Writer)
		if ok {
			z.Reset(w)
		} else {
			z, _ = flate.NewWriter(w, level)
		}
		return &packing{z}
	}
}

// Both pools are fields of one struct, and methods put.

type streams struct{ ins, outs sync.Pool }

func (s *streams) in(r io.Reader) io.ReadCloser {
	if z, ok := s.ins.Get().(io.ReadCloser); ok {
		z.(flate.Resetter).Reset(r, nil)
		return z
	}
	return flate.NewReader(r)
}

func (s *streams) inDone(z io.ReadCloser) { s.ins.Put(z) }

func (s *streams) out(w io.Writer) *gzip.Writer {
	if z, ok := s.outs.Get().(*gzip.Writer); ok {
		z.Reset(w)
		return z
	}
	return gzip.NewWriter(w)
}

func (s *streams) outDone(z *gzip.Writer, failed bool) {
	if failed {
		s.ins.Put(z) // want `put in ins, but it is not the io.ReadCloser .*; the pool of \*compress/gzip.Writer is outs`
		return
	}
	z.Close()
	s.outs.Put(z)
}

// What is put is an interface: a field that is only ever set to one type.

var sources sync.Pool

type sink struct{ w io.WriteCloser }

func newSink(w io.Writer) *sink { return &sink{w: flateWriter(w)} }

func flateWriter(w io.Writer) io.WriteCloser {
	z, _ := flate.NewWriter(w, 1)
	return &closing{z}
}

type closing struct{ *flate.Writer }

func (s *sink) Close() error {
	err := s.w.Close()
	sources.Put(s.w) // want `s\.w, a \*closing, is put in sources, but it is not the io\.ReadCloser`
	return err
}

func source(r io.Reader, use func(io.Reader)) {
	v := sources.Get()
	if v == nil {
		v = flate.NewReader(r)
	}
	z := v.(io.ReadCloser)
	use(z)
	z.Close()
	sources.Put(z)
}

// An instance of a generic type.

type sized interface {
	Len() int
	Cap() int
}

type queue[T any] struct{ list []T }

func (q *queue[T]) Len() int { return len(q.list) }

var measured sync.Pool

func measure(use func(sized)) {
	s, ok := measured.Get().(sized)
	if !ok {
		return
	}
	use(s)
	measured.Put(s)
}

func dropped(q *queue[string]) {
	clear(q.list)
	q.list = nil
	measured.Put(q) // want `q, a \*queue\[string\], is put in measured, but it is not the sized`
}

// Two types are asked for, and a third one comes.

var twoKinds sync.Pool

func kind() any {
	switch v := twoKinds.Get().(type) {
	case *gzip.Reader:
		return v
	case *flate.Writer:
		return v
	}
	return nil
}

func giveReader(z *gzip.Reader) { twoKinds.Put(z) }
func giveFlate(z *flate.Writer) { twoKinds.Put(z) }
func giveGzip(z *gzip.Writer)   { twoKinds.Put(z) } // want `z, a \*compress/gzip\.Writer, is put in twoKinds`
