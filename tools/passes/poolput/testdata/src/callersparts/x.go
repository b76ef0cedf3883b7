// SPDX-License-Identifier: BSD-3-Clause

package callersparts

import (
	"bytes"
	"io"
	"sync"
)

var lineBufs = sync.Pool{New: func() any { return make([]byte, 0, 512) }}

func lineBuf(n int) []byte {
	b := lineBufs.Get().([]byte)
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func putLine(b []byte) {
	clear(b)
	lineBufs.Put(b[:0]) // want `by value`
}

// Wrong: a page is read into lines of its own, or has those of the text that it was given.

type Page struct{ lines [][]byte }

func ReadPage(r io.Reader, sizes []int) (*Page, error) {
	p := new(Page)
	for _, n := range sizes {
		b := lineBuf(n)
		p.lines = append(p.lines, b)
		if _, err := io.ReadFull(r, b); err != nil {
			p.Close()
			return nil, err
		}
	}
	return p, nil
}

func ParsePage(text []byte) *Page {
	p := new(Page)
	p.split(text)
	return p
}

func (p *Page) split(text []byte) {
	for {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			return
		}
		p.lines = append(p.lines, text[:n:n]) // want `field lines gets a part of what the caller of ParsePage gave it, and what is in it is put in lineBufs`
		text = text[n+1:]
	}
}

func (p *Page) Close() {
	for k := range p.lines {
		b := p.lines[k]
		p.lines[k] = nil
		putLine(b)
	}
	p.lines = p.lines[:0]
}

// Right: the lines are copied.

type Copied struct{ lines [][]byte }

func ParseCopied(text []byte) *Copied {
	p := new(Copied)
	for _, l := range bytes.Split(text, []byte{'\n'}) {
		b := lineBuf(len(l))
		copy(b, l)
		p.lines = append(p.lines, b)
	}
	return p
}

func (p *Copied) Close() {
	for k := range p.lines {
		b := p.lines[k]
		p.lines[k] = nil
		putLine(b)
	}
	p.lines = p.lines[:0]
}

// Right: those that it owns only.

type Mixed struct {
	lines [][]byte
	owned bool
}

func ReadMixed(r io.Reader, n int) *Mixed {
	p := &Mixed{owned: true}
	b := lineBuf(n)
	io.ReadFull(r, b)
	p.lines = append(p.lines, b)
	return p
}

func ParseMixed(text []byte, n int) *Mixed {
	p := new(Mixed)
	p.lines = append(p.lines, text[:n], text[n:])
	return p
}

func (p *Mixed) Close() {
	if p.owned {
		for k := range p.lines {
			b := p.lines[k]
			p.lines[k] = nil
			putLine(b)
		}
	}
	p.lines = p.lines[:0]
}

// Right: whole ones, which the caller gives away.

type Queue struct{ parts [][]byte }

func (q *Queue) Add(part []byte) { q.parts = append(q.parts, part) }

func (q *Queue) Flush(w io.Writer) {
	for k := range q.parts {
		b := q.parts[k]
		w.Write(b)
		q.parts[k] = nil
		putLine(b)
	}
	q.parts = q.parts[:0]
}

// Right: callers have their slices from the pool.

var blocks = sync.Pool{New: func() any { return make([]byte, 0, 512) }}

func Block() []byte { return blocks.Get().([]byte) }

func putBlock(b []byte) {
	blocks.Put(b) // want `by value`
}

type Chain struct{ blocks [][]byte }

func (c *Chain) Add(block []byte, n int) { c.blocks = append(c.blocks, block[:n]) }

func (c *Chain) Close() {
	for k := range c.blocks {
		b := c.blocks[k]
		c.blocks[k] = nil
		putBlock(b)
	}
	c.blocks = c.blocks[:0]
}
