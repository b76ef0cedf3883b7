package regrown

import (
	"io"
	"sync"
)

// Buffers that are made anew when they are too small.

type reader struct {
	src io.Reader
	buf []byte
}

var readers = sync.Pool{New: func() any { return new(reader) }}

func (r *reader) Next(n int) ([]byte, error) {
	if cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	b := r.buf[:n]
	_, err := io.ReadFull(r.src, b)
	return b, err
}

func (r *reader) Release() {
	r.src = nil
	readers.Put(r) // want `r, the pooled reader, keeps buf of any size`
}

func New(src io.Reader) *reader {
	r := readers.Get().(*reader)
	r.src = src
	return r
}

// With a limit.

type limited struct{ buf []byte }

var limiteds = sync.Pool{New: func() any { return new(limited) }}

func (r *limited) Grow(n int) []byte {
	if cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	return r.buf[:n]
}

func (r *limited) Release() {
	if cap(r.buf) > 1<<16 {
		return
	}
	limiteds.Put(r)
}

// Let go of.

type dropped struct{ buf []byte }

var droppeds = sync.Pool{New: func() any { return new(dropped) }}

func (r *dropped) Grow(n int) []byte {
	if cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	return r.buf[:n]
}

func (r *dropped) Release() {
	r.buf = nil
	droppeds.Put(r)
}

// Of one size.

type block struct{ buf []byte }

var blocks = sync.Pool{New: func() any { return new(block) }}

func (b *block) size(n int) {
	if cap(b.buf) < n {
		b.buf = make([]byte, n)
	}
}

func take() *block {
	b := blocks.Get().(*block)
	b.size(4096)
	return b
}

func (b *block) release() { blocks.Put(b) }

// As many as there are messages: that is not the size of the input.

type packer struct{ addrs []byte }

var packers = sync.Pool{New: func() any { return new(packer) }}

func (p *packer) prepare(ms [][]byte) {
	n := 16 * len(ms)
	if cap(p.addrs) < n {
		p.addrs = make([]byte, n)
	}
}

func (p *packer) free() { packers.Put(p) }
