package ownpools

import (
	"bytes"
	"strings"
	"sync"
)

// A pool behind a pointer, of which there are two that are made for one field each.

type store struct{ p sync.Pool }

func (s *store) borrow() any    { return s.p.Get() }
func (s *store) giveBack(v any) { s.p.Put(v) }

func newStore(f func() any) *store {
	s := &store{}
	s.p.New = f
	return s
}

func newBuffer() any  { return new(bytes.Buffer) }
func newBuilder() any { return new(strings.Builder) }

type parser struct{ ins, outs *store }

func newParser() *parser {
	p := new(parser)
	p.ins = newStore(newBuffer)
	p.outs = &store{sync.Pool{New: newBuilder}}
	return p
}

func (p *parser) size() int {
	b := p.ins.borrow().(*bytes.Buffer)
	n := b.Len()
	p.outs.giveBack(b) // want `b was taken from ins but is put in outs`
	return n
}

// Variables of the package.

var (
	buffers  = &store{sync.Pool{New: newBuffer}}
	builders = newStore(newBuilder)
)

func sizeOf() int {
	b := buffers.borrow()
	defer func() { builders.giveBack(b) }() // want `b was taken from buffers but is put in builders`
	return b.(*bytes.Buffer).Len()
}

// Of one type of values.

type typed[T any] struct{ p sync.Pool }

func (t *typed[T]) get() *T {
	if v, ok := t.p.Get().(*T); ok {
		return v
	}
	return new(T)
}

func (t *typed[T]) put(v *T) { t.p.Put(v) }

type ends struct{ heads, tails *typed[bytes.Buffer] }

func newEnds() *ends {
	return &ends{heads: &typed[bytes.Buffer]{}, tails: &typed[bytes.Buffer]{}}
}

func (e *ends) room() int {
	b := e.heads.get()
	n := b.Cap()
	e.tails.put(b) // want `b was taken from heads but is put in tails`
	return n
}

// The constructor is given them, and the receiver is no pointer.

type pair struct{ ins, outs *store }

func pairOf(i, o *store) pair { return pair{i, o} }

var onlyPair = pairOf(newStore(newBuffer), newStore(newBuilder))

func (p pair) size() int {
	b := p.ins.borrow()
	defer p.outs.giveBack(b) // want `b was taken from ins but is put in outs`
	return b.(*bytes.Buffer).Len()
}
