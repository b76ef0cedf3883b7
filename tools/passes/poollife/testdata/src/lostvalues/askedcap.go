// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"errors"
	"io"
	"lostvalues/limits"
	"sync"
)

// A function of another package says whether memory is worth keeping.

var inputs = sync.Pool{New: func() any { return make([]byte, 0, 512) }}

func freeInput(b []byte) {
	if limits.Worth(cap(b)) {
		inputs.Put(b[:0])
	}
}

type scanner struct {
	r   io.Reader
	buf []byte
	err error
}

func (s *scanner) fail(err error) {
	s.err = err
	b := s.buf[:0]
	s.buf = nil
	freeInput(b)
}

func (s *scanner) Fill() error {
	if s.err != nil {
		return s.err
	}
	if cap(s.buf) == 0 {
		s.buf = inputs.Get().([]byte)
	}
	n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err != nil {
		s.fail(err)
		return err
	}
	return nil
}

// What is too large to be kept is given to the caller instead of a copy, without its box.
var texts = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

var errEmpty = errors.New("nothing to render")

type node interface{ render(to *[]byte) error }

func freeText(b *[]byte) {
	if limits.Worth(cap(*b)) {
		*b = (*b)[:0]
		texts.Put(b)
	}
}

func Render(n node) ([]byte, error) {
	b := texts.Get().(*[]byte)
	if err := n.render(b); err != nil {
		freeText(b)
		return nil, err
	}
	if !limits.Worth(cap(*b)) {
		return *b, nil
	}
	out := append([]byte(nil), *b...)
	freeText(b)
	return out, nil
}

func RenderLost(n node) ([]byte, error) {
	b := texts.Get().(*[]byte) // want `b, taken from texts at line 80, is not put back on the path that ends here`
	if err := n.render(b); err != nil {
		return nil, err
	}
	out := append([]byte(nil), *b...)
	freeText(b)
	return out, nil
}
