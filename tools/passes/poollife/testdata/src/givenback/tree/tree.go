// Package tree gives objects that hold values out of its pools.
package tree

import "sync"

type node struct {
	sum  int
	kids []*node
}

func (n *node) reset() *node {
	n.sum, n.kids = 0, nil
	return n
}

var nodes = sync.Pool{New: func() any { return new(node) }}

// A Tree gives its inner nodes back as it adds them up. Its root goes with it.
type Tree struct{ root *node }

func New() *Tree { return &Tree{root: nodes.Get().(*node)} }

func (t *Tree) Add(n int) {
	k := nodes.Get().(*node)
	k.sum = n
	t.root.kids = append(t.root.kids, k)
}

func (t *Tree) Sum() int {
	for _, k := range t.root.kids {
		t.root.sum += k.sum
		nodes.Put(k.reset())
	}
	t.root.kids = nil
	return t.root.sum
}

type page struct{ b []byte }

var pages = sync.Pool{New: func() any { return new(page) }}

// A Text gives its page back when it is closed.
type Text struct{ p *page }

func NewText() *Text {
	p := pages.Get().(*page)
	p.b = p.b[:0]
	return &Text{p: p}
}

func (t *Text) Add(s string) { t.p.b = append(t.p.b, s...) }

func (t *Text) String() string { return string(t.p.b) }

func (t *Text) Close() {
	if t.p != nil {
		pages.Put(t.p)
		t.p = nil
	}
}
