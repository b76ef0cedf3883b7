package lostvalues

import (
	"io"
	"sync"
)

// A reader puts its buffer when it has come to its end: who is given it to read, by a function that is chosen at
// run time, may have had it put.

var pads = sync.Pool{New: func() any { return new([64]byte) }}

type scrambler struct {
	in  io.Reader
	buf *[64]byte
	err error
}

func newScrambler(in io.Reader) *scrambler {
	return &scrambler{in: in, buf: pads.Get().(*[64]byte)}
}

func (s *scrambler) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := io.ReadFull(s.in, s.buf[:])
	if n == 0 {
		s.finish(err)
		return 0, err
	}
	for k := range n {
		s.buf[k] ^= 0x55
	}
	return copy(p, s.buf[:n]), nil
}

func (s *scrambler) finish(err error) {
	if s.err == nil {
		s.err = err
		pads.Put(s.buf)
		s.buf = nil
	}
}

func scrambled(in io.Reader, wrap func(io.Reader) io.Reader) (io.Reader, *scrambler) {
	s := newScrambler(in)
	return wrap(s), s
}

func sendScrambled(in io.Reader, wrap func(io.Reader) io.Reader, to func(io.Reader) error) error {
	r, _ := scrambled(in, wrap)
	return to(r)
}

// Nobody reads this one.
func scrambledName(in io.Reader, name func(*[64]byte) string) string {
	s := newScrambler(in) // want `s, taken from pads at line 58, is not put back on any path`
	return name(&[64]byte{byte(len(s.buf))})
}
