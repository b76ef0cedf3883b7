package outgrown

import (
	"io"
	"slices"
	"sync"
)

// One slice is bounded, the others not.

type label struct{ name, value string }

type sample struct{ t, v int64 }

type batch struct {
	labels  []label
	samples []sample
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) dropLarge() {
	if cap(b.samples) > 100 {
		b.samples = nil
		return
	}
	b.samples = b.samples[:0]
}

func (b *batch) release() {
	clear(b.labels)
	b.labels = b.labels[:0]
	b.dropLarge()
	batches.Put(b) // want `field samples of the pooled batch is let go of above a limit .*, but field labels`
}

func (b *batch) add(ls []label, vs []sample) {
	for _, l := range ls {
		b.labels = append(b.labels, l)
	}
	b.samples = append(b.samples, vs...)
}

func take() *batch { return batches.Get().(*batch) }

// A buffer is made as large as the input asks for.

type reader struct {
	src  io.Reader
	rbuf []byte
}

var readers = sync.Pool{New: func() any { return &reader{rbuf: make([]byte, 0, 512)} }}

func newReader(r io.Reader) *reader {
	x := readers.Get().(*reader)
	x.src = r
	return x
}

func (x *reader) grow(n int) {
	c := cap(x.rbuf)
	if c >= n {
		return
	}
	x.rbuf = make([]byte, 0, 2*c+n)
}

func (x *reader) Next(n int) ([]byte, error) {
	x.grow(n)
	_, err := io.ReadFull(x.src, x.rbuf[:n])
	return x.rbuf[:n], err
}

func (x *reader) Close() {
	x.src = nil
	x.rbuf = x.rbuf[:0]
	readers.Put(x) // want `field rbuf of the pooled reader is made as large as the input asks for`
}

// With slices.Grow.

type line struct{ text []byte }

var lines = sync.Pool{New: func() any { return new(line) }}

func Format(n int, w io.Writer) {
	l := lines.Get().(*line)
	l.text = slices.Grow(l.text[:0], n)
	w.Write(l.text[:n])
	lines.Put(l) // want `field text of the pooled line is made as large as the input asks for`
}

// What is written to it.

type sink struct{ data []byte }

var sinks = sync.Pool{New: func() any { return new(sink) }}

func (s *sink) Write(p []byte) (int, error) {
	s.data = append(s.data, p...)
	return len(p), nil
}

func WithSink(f func(io.Writer)) int {
	s := sinks.Get().(*sink)
	f(s)
	n := len(s.data)
	s.data = s.data[:0]
	sinks.Put(s) // want `field data of the pooled sink is made as large as the input asks for`
	return n
}
