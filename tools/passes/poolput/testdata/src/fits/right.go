package fits

import (
	"bufio"
	"io"
	"sync"
)

// Two types by design: both are put.

var mixed = sync.Pool{New: func() any { return new(req) }}

func eitherWay(f func(any)) {
	switch x := mixed.Get().(type) {
	case *req:
		f(x)
		mixed.Put(x)
	case *hdr:
		f(x)
		mixed.Put(x)
	}
}

func putHdr(h *hdr) { mixed.Put(h) }

// An interface that the pooled type has.

var rings = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func ring(r io.Reader) io.Reader {
	b := rings.Get().(*bufio.Reader)
	b.Reset(r)
	return b
}

func freeRing(r io.Reader) { rings.Put(r) }

// Tested before, and left.

func (s *stream) close() {
	p := s.cur
	if p == nil {
		return
	}
	s.cur = nil
	parts.Put(p)
}

func (s *stream) drop() {
	if s.cur == nil {
		s.begin()
	}
	p := s.cur
	s.cur = nil
	parts.Put(p)
}

func freeChecked(p *part) {
	if p != nil {
		parts.Put(p)
	}
}

func (s *stream) abort() int {
	n := 0
	if s.cur != nil {
		n = len(s.cur.b)
	}
	freeChecked(s.cur)
	s.cur = nil
	return n
}

// The error is looked at first.

func decodeRight(n int, f func(*dec)) (err error) {
	d, _ := decs.Get().(*dec)
	if d == nil {
		if d, err = newDec(n); err != nil {
			return err
		}
	}
	defer decs.Put(d)
	f(d)
	return nil
}

// With an error there is a value as well.

func partDec(n int) (*dec, error) {
	d, err := newDec(n)
	if err != nil {
		return &dec{}, err
	}
	return d, nil
}

func decodePart(n int, f func(*dec)) error {
	d, err := partDec(n)
	defer decs.Put(d)
	if err != nil {
		return err
	}
	f(d)
	return nil
}
