// SPDX-License-Identifier: BSD-3-Clause

package dropped

import "sync"

// Methods of one name that take a pooled object in.

type leaf struct {
	ink   []byte
	lines int
}

var leaves = sync.Pool{New: func() any { return new(leaf) }}

func newLeaf() *leaf {
	l := leaves.Get().(*leaf)
	l.ink, l.lines = l.ink[:0], 0
	return l
}

// Leaf gives one that Bind or Glue takes.
func Leaf(text string) *leaf {
	l := newLeaf()
	l.ink = append(l.ink, text...)
	return l
}

func (l *leaf) end() { l.ink = append(l.ink, '\n') }

// Size only asks.
func (l *leaf) Size() int { return len(l.ink) }

type volume struct{ all []byte }

func (v *volume) Bind(l *leaf) *volume {
	l.end()
	v.all = append(v.all, l.ink...)
	leaves.Put(l)
	return v
}

type pamphlet struct{ all []byte }

func (p *pamphlet) Bind(l *leaf) *pamphlet { // want `l, the pooled leaf, is ended here as the Bind method of another type does, which puts it \(line 36\)`
	l.end()
	p.all = append(p.all, l.ink...)
	return p
}

// It is put by a method of its own.
type poster struct{ all []byte }

func (p *poster) Bind(l *leaf) {
	l.end()
	p.all = append(p.all, l.ink...)
	p.done(l)
}

func (p *poster) done(l *leaf) { leaves.Put(l) }

// It is kept.
type shelfOf struct{ all []*leaf }

func (s *shelfOf) Bind(l *leaf) {
	l.end()
	s.all = append(s.all, l)
}

// It is not ended: who called goes on with it.
type preview struct{ all []byte }

func (p *preview) Bind(l *leaf) { p.all = append(p.all[:0], l.ink...) }

// Those who call this one put it.
type proof struct{ all []byte }

func (p *proof) Bind(l *leaf) {
	l.end()
	p.all = append(p.all, l.ink...)
}

func prove(text string) []byte {
	l := Leaf(text)
	p := new(proof)
	p.Bind(l)
	leaves.Put(l)
	return p.all
}

// Here everybody can put.
type card struct{ ink []byte }

var cards = sync.Pool{New: func() any { return new(card) }}

func NewCard() *card {
	c := cards.Get().(*card)
	c.ink = c.ink[:0]
	return c
}

func (c *card) Release() { cards.Put(c) }

type box struct{ all []byte }

func (b *box) File(c *card) {
	c.ink = append(c.ink, '\n')
	b.all = append(b.all, c.ink...)
	cards.Put(c)
}

type drawer struct{ all []byte }

func (d *drawer) File(c *card) {
	c.ink = append(c.ink, '\n')
	d.all = append(d.all, c.ink...)
}
