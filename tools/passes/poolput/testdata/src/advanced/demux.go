// SPDX-License-Identifier: BSD-3-Clause

package advanced

import (
	"errors"
	"sync"
)

// Pieces are cut from what a function was given, and what is left is kept to be put.

const frameSize = 1 << 12

type framePool struct{ p sync.Pool }

func (f *framePool) get(n int) []byte {
	if b, ok := f.p.Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, frameSize)
}

func (f *framePool) give(b []byte) {
	if cap(b) == frameSize {
		f.p.Put(&b) // want `the address of the local variable b is put`
	}
}

var errShort = errors.New("short")

type parts struct {
	list [][]byte
	raw  []byte
	from *framePool
}

func (p *parts) release() {
	if p.raw != nil && p.from != nil {
		p.from.give(p.raw)
		p.raw, p.from = nil, nil
	}
}

func (p *parts) split(sizes []int, data []byte, from *framePool) error {
	for _, n := range sizes {
		if n > len(data) {
			return errShort
		}
		p.list = append(p.list, data[:n:n])
		data = data[n:]
	}
	p.raw = data // want `field raw is left without the part before its start`
	p.from = from
	return nil
}

// This one keeps the whole.

type wholeParts struct {
	list [][]byte
	raw  []byte
	from *framePool
}

func (p *wholeParts) release() {
	if p.raw != nil && p.from != nil {
		p.from.give(p.raw)
		p.raw, p.from = nil, nil
	}
}

func (p *wholeParts) split(sizes []int, data []byte, from *framePool) error {
	rest := data
	for _, n := range sizes {
		if n > len(rest) {
			return errShort
		}
		p.list = append(p.list, rest[:n:n])
		rest = rest[n:]
	}
	p.raw = data
	p.from = from
	return nil
}

// This one has what is left to read, and puts nothing.

type cursor struct{ rest []byte }

func (c *cursor) skip(sizes []int, data []byte) {
	for _, n := range sizes {
		data = data[n:]
	}
	c.rest = data
}
