// SPDX-License-Identifier: BSD-3-Clause

package forgottenput

import "bytes"

// Values that the objects of a list hold, and those that pieces were gathered in.

type link struct {
	buf  *bytes.Buffer
	next *link
}

type chain struct {
	head, read *link
	joined     []*bytes.Buffer
}

func (c *chain) Add() { c.head = &link{get(), c.head} }

func (c *chain) Peek() []byte {
	b := get()
	c.joined = append(c.joined, b)
	for l := c.read; l != nil; l = l.next {
		b.Write(l.buf.Bytes())
	}
	return b.Bytes()
}

func (c *chain) Release() {
	for ; c.head != c.read; c.head = c.head.next {
		put(c.head.buf)
	}
	for _, b := range c.joined {
		put(b)
	}
	c.joined = nil
}

// Wrong: who closes has not released first.
func (c *chain) Close() error { // want `Close puts what buf holds, but not what joined holds, which only Release puts`
	for l := c.head; l != nil; l = l.next {
		put(l.buf)
	}
	c.head, c.read = nil, nil
	return nil
}

type closedChain struct {
	head, read *link
	joined     []*bytes.Buffer
}

func (c *closedChain) Add() { c.head = &link{get(), c.head} }

func (c *closedChain) Peek() []byte {
	b := get()
	c.joined = append(c.joined, b)
	return b.Bytes()
}

func (c *closedChain) Release() {
	for ; c.head != c.read; c.head = c.head.next {
		put(c.head.buf)
	}
	for _, b := range c.joined {
		put(b)
	}
	c.joined = nil
}

// Right: it releases first.
func (c *closedChain) Close() error {
	c.Release()
	for l := c.head; l != nil; l = l.next {
		put(l.buf)
	}
	c.head, c.read = nil, nil
	return nil
}

type endedChain struct {
	head   *link
	joined []*bytes.Buffer
}

func (c *endedChain) Add() { c.head = &link{get(), c.head} }

func (c *endedChain) Peek() []byte {
	b := get()
	c.joined = append(c.joined, b)
	return b.Bytes()
}

// Right, as far as one can see: the two have different things to put, and callers call both.
func (c *endedChain) Unpeek() {
	for _, b := range c.joined {
		put(b)
	}
	c.joined = nil
}

func (c *endedChain) Close() error {
	for l := c.head; l != nil; l = l.next {
		put(l.buf)
	}
	c.head = nil
	return nil
}

// A single object, and one value beside it.
type holder struct{ mem *bytes.Buffer }

type page struct {
	of    *holder
	extra *bytes.Buffer
}

func (p *page) Extra() *bytes.Buffer {
	if p.extra == nil {
		p.extra = get()
	}
	return p.extra
}

func (p *page) fill() { p.of = &holder{mem: get()} }

func (p *page) Reset() {
	if p.of.mem != nil {
		put(p.of.mem)
		p.of.mem = nil
	}
	if p.extra != nil {
		put(p.extra)
		p.extra = nil
	}
}

// Wrong: as for a list.
func (p *page) Close() { // want `Close puts what mem holds, but not what extra holds, which only Reset puts`
	if p.of.mem != nil {
		put(p.of.mem)
		p.of.mem = nil
	}
}

type keptPage struct {
	of    *holder
	extra *bytes.Buffer
}

func (p *keptPage) Extra() *bytes.Buffer {
	if p.extra == nil {
		p.extra = get()
	}
	return p.extra
}

func (p *keptPage) fill() { p.of = &holder{mem: get()} }

func (p *keptPage) reset() {
	if p.of.mem != nil {
		put(p.of.mem)
		p.of.mem = nil
	}
	if p.extra != nil {
		put(p.extra)
		p.extra = nil
	}
}

// Right: the one who closes resets it before.
func (p *keptPage) Close() {
	if p.of.mem != nil {
		put(p.of.mem)
	}
}

func use(p *keptPage, f func(*bytes.Buffer)) {
	f(p.Extra())
	p.reset()
	p.Close()
}

// Elements of a slice, each with a method that puts what it holds.
type segment struct{ mem *bytes.Buffer }

func (s *segment) free() {
	put(s.mem)
	s.mem = nil
}

type segments struct {
	list  []*segment
	views map[int]*bytes.Buffer
}

func (s *segments) Push() { s.list = append(s.list, &segment{get()}) }

func (s *segments) View(i int) *bytes.Buffer {
	b := get()
	if s.views == nil {
		s.views = map[int]*bytes.Buffer{}
	}
	s.views[i] = b
	return b
}

func (s *segments) Flush(n int) {
	for _, x := range s.list[:n] {
		x.free()
	}
	s.list = s.list[n:]
	for _, b := range s.views {
		put(b)
	}
	s.views = nil
}

// Wrong: the views are nobody's then.
func (s *segments) Close() { // want `Close puts what mem holds, but not what views holds, which only Flush puts`
	for _, x := range s.list {
		x.free()
	}
	s.list = nil
}

type viewed struct {
	list  []*segment
	views map[int]*bytes.Buffer
}

func (s *viewed) Push() { s.list = append(s.list, &segment{get()}) }

func (s *viewed) View(i int) *bytes.Buffer {
	b := get()
	s.views[i] = b
	return b
}

func (s *viewed) Flush(n int) {
	for _, x := range s.list[:n] {
		x.free()
	}
	s.list = s.list[n:]
	for _, b := range s.views {
		put(b)
	}
	clear(s.views)
}

func later(views map[int]*bytes.Buffer, f func(*bytes.Buffer)) {
	for _, b := range views {
		f(b)
		put(b)
	}
}

// Right: they are handed on.
func (s *viewed) Close() {
	for _, x := range s.list {
		x.free()
	}
	s.list = nil
	go later(s.views, func(b *bytes.Buffer) { b.Reset() })
	s.views = nil
}
