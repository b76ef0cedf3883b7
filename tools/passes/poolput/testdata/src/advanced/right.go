package advanced

import (
	"io"
	"sync"
)

// The position is kept beside the slice.

type letter struct {
	cur *[]byte
	at  int
}

func (l *letter) send(w io.Writer) error {
	n, err := w.Write((*l.cur)[l.at:])
	l.at += n
	if l.at == len(*l.cur) {
		blocks.Put(l.cur)
		l.cur = nil
	}
	return err
}

// The whole is kept beside what is left.

type source struct {
	whole []byte
	rest  []byte
}

var wholes sync.Pool

func (s *source) read(p []byte) int {
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n
}

func (s *source) close() {
	b := s.whole
	s.rest = nil
	wholes.Put(&b) // want `the address of the local variable b`
}

func (s *source) rewind() { s.rest = s.whole }

// What moves on is given its whole again before the put.

type line struct {
	buf  []byte
	full []byte
}

func (l *line) next() byte {
	c := l.buf[0]
	l.buf = l.buf[1:]
	return c
}

func (l *line) close() {
	l.buf = l.full
	b := l.buf
	wholes.Put(&b) // want `the address of the local variable b`
}

// Frames are made elsewhere as well: those never see the pool.

type frame struct {
	data   []byte
	pooled bool
}

var frames = sync.Pool{New: func() any { return &frame{pooled: true} }}

func bigFrame(b []byte) *frame { return &frame{data: append([]byte(nil), b...)} }

func (f *frame) take(n int) []byte {
	b := f.data[:n]
	f.data = f.data[n:]
	return append([]byte(nil), b...)
}

func (f *frame) free() {
	if !f.pooled {
		return
	}
	f.data = f.data[:0]
	frames.Put(f)
}

func getFrame(b []byte) *frame {
	f := frames.Get().(*frame)
	f.data = append(f.data[:0], b...)
	return f
}

// A list of what is waiting: the slice itself is in no pool.

type waiting struct{ list []*queue }

func (w *waiting) next() {
	q := w.list[0]
	w.list = w.list[1:]
	q.items = q.items[:0]
}

// The list that moves on holds headers of its own.

type strip2 struct {
	rest [][]byte
	all  []*[]byte
}

var strips2 = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

func (s *strip2) add(p *[]byte) {
	s.rest = append(s.rest, *p)
	s.all = append(s.all, p)
}

func (s *strip2) take(n int) { s.rest[0] = s.rest[0][n:] }

func (s *strip2) close() {
	for _, p := range s.all {
		strips2.Put(p)
	}
	s.rest, s.all = nil, nil
}
