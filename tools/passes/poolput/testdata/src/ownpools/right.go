package ownpools

import (
	"bytes"
	"sync"
)

// Two names for one pool.

type oneOfTwo struct{ ins, outs *store }

func newOneOfTwo() *oneOfTwo {
	s := newStore(newBuffer)
	return &oneOfTwo{s, s}
}

func (o *oneOfTwo) size() int {
	b := o.ins.borrow().(*bytes.Buffer)
	defer o.outs.giveBack(b)
	return b.Len()
}

type following struct{ ins, outs *store }

func newFollowing() *following {
	f := &following{ins: newStore(newBuffer)}
	f.outs = f.ins
	return f
}

func (f *following) size() int {
	b := f.ins.borrow().(*bytes.Buffer)
	defer f.outs.giveBack(b)
	return b.Len()
}

// Who makes the object may give it one for both.

type Given struct{ ins, outs *store }

func NewGiven(i, o *store) *Given { return &Given{i, o} }

func (g *Given) size() int {
	b := g.ins.borrow().(*bytes.Buffer)
	defer g.outs.giveBack(b)
	return b.Len()
}

type fallback struct{ ins, outs *store }

func newFallback(s *store) *fallback {
	f := &fallback{newStore(newBuffer), newStore(newBuffer)}
	if s != nil {
		f.ins, f.outs = s, s
	}
	return f
}

func (f fallback) size() int {
	b := f.ins.borrow().(*bytes.Buffer)
	defer f.outs.giveBack(b)
	return b.Len()
}

// What makes them knows those that it made.

var known = map[string]*store{}

func named(name string) *store {
	s := known[name]
	if s == nil {
		s = newStore(newBuffer)
		known[name] = s
	}
	return s
}

type byName struct{ ins, outs *store }

func newByName() *byName { return &byName{named("a"), named("a")} }

func (n *byName) size() int {
	b := n.ins.borrow().(*bytes.Buffer)
	defer n.outs.giveBack(b)
	return b.Len()
}

// Full ones and empty ones.

type boxes struct{ full, empty *store }

func newBoxes() *boxes { return &boxes{newStore(nil), newStore(newBuffer)} }

func (b *boxes) fill(s string) {
	x := b.empty.borrow().(*bytes.Buffer)
	x.Reset()
	x.WriteString(s)
	b.full.giveBack(x)
}

func (b *boxes) drain() int {
	x, _ := b.full.borrow().(*bytes.Buffer)
	if x == nil {
		return 0
	}
	n := x.Len()
	x.Reset()
	b.empty.giveBack(x)
	return n
}

// Each has its own.

var pages = &store{sync.Pool{New: func() any { return new([64]byte) }}}

func fill() int {
	b := buffers.borrow().(*bytes.Buffer)
	defer buffers.giveBack(b)
	p := pages.borrow().(*[64]byte)
	defer pages.giveBack(p)
	return copy(p[:], b.Bytes())
}
