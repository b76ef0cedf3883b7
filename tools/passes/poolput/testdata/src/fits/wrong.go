package fits

import (
	"bufio"
	"compress/zlib"
	"errors"
	"io"
	"sync"
)

// Several types asserted where New makes one.

type req struct{ n int }
type hdr struct{ k string }

type pools struct{ reqs, hdrs sync.Pool }

func newPools() *pools {
	return &pools{
		reqs: sync.Pool{New: func() any { return new(req) }},
		hdrs: sync.Pool{New: func() any { return new(hdr) }},
	}
}

func (p *pools) serve(f func(*req, *hdr)) {
	q := p.reqs.Get().(*req)
	h := p.reqs.Get().(*hdr) // want `a \*hdr is asserted on what comes from reqs for h, but its New makes, and all Puts put, \*req; hdrs is the pool of those`
	f(q, h)
	p.reqs.Put(q)
	p.hdrs.Put(h) // want `h was taken from reqs but is put in hdrs`
}

// The source goes back in place of the reader over it.

var readers sync.Pool

func first(c io.ReadWriter) (byte, error) {
	br, ok := readers.Get().(*bufio.Reader)
	if !ok {
		br = bufio.NewReader(c)
	}
	br.Reset(c)
	defer readers.Put(c) // want `c, a io\.ReadWriter, is put in readers, whose users assert \*bufio\.Reader, which is not one`
	return br.ReadByte()
}

type inflater struct {
	zr io.ReadCloser
}

func (i *inflater) Read(p []byte) (int, error) { return i.zr.Read(p) }

var inflaters sync.Pool

func inflate(src io.Reader) (io.Reader, error) {
	if i, ok := inflaters.Get().(*inflater); ok {
		if err := i.zr.(zlib.Resetter).Reset(src, nil); err != nil {
			inflaters.Put(src) // want `src, a io.Reader that the function was given, is put in inflaters in place of the \*inflater that was taken`
			return nil, err
		}
		return i, nil
	}
	zr, err := zlib.NewReader(src)
	if err != nil {
		return nil, err
	}
	return &inflater{zr}, nil
}

// Nil, as the function reckons itself.

type part struct{ b []byte }

var parts = sync.Pool{New: func() any { return new(part) }}

type stream struct{ cur *part }

func (s *stream) begin() { s.cur = parts.Get().(*part) }

func (s *stream) end(w func([]byte)) {
	p := s.cur
	s.cur = nil
	if p != nil {
		w(p.b)
	}
	parts.Put(p) // want `p, which is nil, is put in parts \(line 86\) on this path`
}

func (s *stream) stop() int {
	n := 0
	if s.cur != nil {
		n = len(s.cur.b)
	}
	freePart(s.cur) // want `s\.cur, which is nil, is put in parts \(line 99\) on this path`
	s.cur = nil
	return n
}

func freePart(p *part) { parts.Put(p) }

// Nil beside an error.

type dec struct{ n int }

var decs sync.Pool

func newDec(n int) (*dec, error) {
	if n < 0 {
		return nil, errors.New("negative")
	}
	return &dec{n}, nil
}

func decode(n int, f func(*dec)) (err error) {
	d, _ := decs.Get().(*dec)
	if d == nil {
		d, err = newDec(n)
	}
	defer decs.Put(d) // want `d, put here, is nil when newDec fails, and the error is looked at only later`
	if err != nil {
		return err
	}
	f(d)
	return nil
}
