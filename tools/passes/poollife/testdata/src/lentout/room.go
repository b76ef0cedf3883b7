// SPDX-License-Identifier: BSD-3-Clause

package lentout

import (
	"io"
	"sync"
)

type block struct{ b []byte }

func (b *block) resize(n int) {
	if cap(b.b) < n {
		b.b = make([]byte, n)
	}
	b.b = b.b[:n]
}

type file struct {
	in     io.Reader
	blocks *sync.Pool
}

// That there is room, or that it was made, is no reason to drop a block.
func (f *file) read(n int) (*block, error) {
	b := f.blocks.Get().(*block) // want `b, taken from blocks at line 26, is not put back on the path that ends here`
	b.resize(n)
	if _, err := io.ReadFull(f.in, b.b); err != nil {
		return nil, err
	}
	return b, nil
}

func (f *file) readRight(n int) (*block, error) {
	b := f.blocks.Get().(*block)
	b.resize(n)
	if _, err := io.ReadFull(f.in, b.b); err != nil {
		f.free(b)
		return nil, err
	}
	return b, nil
}

func (f *file) free(b *block) { f.blocks.Put(b) }

// Dropped for its size.
func (f *file) fit(n int) *block {
	b := f.blocks.Get().(*block)
	if cap(b.b) < n {
		return &block{make([]byte, n)}
	}
	b.b = b.b[:n]
	return b
}

// Bytes of a value with a count do not count.

type counted struct {
	refs int
	mem  []byte
}

func (c *counted) release() {
	if c.refs--; c.refs == 0 {
		countedPool.Put(c)
	}
}

var countedPool = sync.Pool{New: func() any { return new(counted) }}

func newCounted(p []byte) *counted {
	c := countedPool.Get().(*counted)
	c.refs = 1
	c.mem = append(c.mem[:0], p...)
	return c
}

type extremes struct{ low []byte }

func (e *extremes) see(c *counted) {
	if len(c.mem) > 2 {
		e.low = c.mem[:2]
	}
}

func (e *extremes) seeCopy(c *counted) {
	if len(c.mem) > 2 {
		e.low = append(e.low[:0], c.mem[:2]...)
	}
}

func extreme(e *extremes, p []byte) {
	c := newCounted(p)
	e.see(c) // want `field low keeps memory of c after the value was put in countedPool`
	c.release()
}

func extremeRight(e *extremes, p []byte) {
	c := newCounted(p)
	e.seeCopy(c)
	c.release()
}
