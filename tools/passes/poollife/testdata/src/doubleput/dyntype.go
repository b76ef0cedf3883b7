// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"io"
	"sync"
)

// What is behind an interface is of one type: a method that puts it was not called on
// what an assertion then finds to be of another type.

type closedPart struct{ n int }

type plainPart struct{ n int }

var closedParts = sync.Pool{New: func() any { return new(closedPart) }}
var plainParts = sync.Pool{New: func() any { return new(plainPart) }}

func (p *closedPart) Read([]byte) (int, error) { return 0, io.EOF }

func (p *closedPart) Close() error {
	p.n = 0
	closedParts.Put(p)
	return nil
}

func (p *plainPart) Read([]byte) (int, error) { return 0, io.EOF }

func (p *plainPart) free() { plainParts.Put(p) }

type abortable interface{ Abort(error) }

type parts struct{ r io.Reader }

func partsOf(closed bool) *parts {
	if closed {
		return &parts{closedParts.Get().(*closedPart)}
	}
	return &parts{plainParts.Get().(*plainPart)}
}

func (p *parts) end(err error) {
	if c, ok := p.r.(io.Closer); ok {
		c.Close()
	}
	if c, ok := p.r.(abortable); ok {
		c.Abort(err)
	}
	if c, ok := p.r.(*plainPart); ok {
		c.free()
	}
	p.r = nil
}

func (p *parts) endTwice() {
	if c, ok := p.r.(io.Closer); ok {
		c.Close()
	}
	if c, ok := p.r.(*closedPart); ok {
		closedParts.Put(c) // want `c is put in closedParts a second time`
	}
	p.r = nil
}
