package dropped

import (
	"io"
	"sync"
)

type slab struct {
	b    []byte
	next *slab
}

var slabs = sync.Pool{New: func() any { return &slab{b: make([]byte, 0, 512)} }}

// A writer outgrows its slab: the old one has to go back.
type packer struct {
	cur  *slab
	full [][]byte
	n    int
}

func newPacker() *packer { return &packer{cur: slabs.Get().(*slab)} }

func (p *packer) Grow(n int) {
	if cap(p.cur.b)-len(p.cur.b) >= n {
		return
	}
	s := slabs.Get().(*slab)
	s.b = append(s.b[:0], p.cur.b...)
	p.cur = s // want `field cur is set while it may hold another value taken from slabs`
}

func (p *packer) Close() { slabs.Put(p.cur); p.cur = nil }

type packerRight struct{ buf *slab }

func newPackerRight() *packerRight { return &packerRight{buf: slabs.Get().(*slab)} }

func (p *packerRight) Grow(n int) {
	if cap(p.buf.b)-len(p.buf.b) >= n {
		return
	}
	s := slabs.Get().(*slab)
	s.b = append(s.b[:0], p.buf.b...)
	slabs.Put(p.buf)
	p.buf = s
}

func (p *packerRight) GrowLater(n int) {
	old := p.buf
	s := slabs.Get().(*slab)
	s.b = append(s.b[:0], old.b...)
	p.buf = s
	slabs.Put(old)
}

func (p *packerRight) Close() { slabs.Put(p.buf) }

// The memory of the old one is kept; the list leads to it.
type chained struct{ head *slab }

func newChained() *chained { return &chained{head: slabs.Get().(*slab)} }

func (c *chained) Push() {
	if len(c.head.b) == 0 {
		return
	}
	s := slabs.Get().(*slab)
	s.next = c.head
	c.head = s
}

func (c *chained) Close() {
	for s := c.head; s != nil; {
		next := s.next
		slabs.Put(s)
		s = next
	}
}

type collected struct {
	tip  *slab
	full [][]byte
}

func newCollected() *collected { return &collected{tip: slabs.Get().(*slab)} }

func (c *collected) Turn() {
	if len(c.tip.b) < 100 {
		return
	}
	c.full = append(c.full, c.tip.b)
	c.tip = slabs.Get().(*slab)
}

func (c *collected) Close() { slabs.Put(c.tip) }

// Sent on: whoever gets it puts it.
type sender struct {
	out *slab
	to  func(*slab) error
	w   io.Writer
}

func newSender(w io.Writer) *sender { return &sender{out: slabs.Get().(*slab), w: w} }

func (s *sender) Next() error {
	if len(s.out.b) == 0 {
		return nil
	}
	if err := s.to(s.out); err != nil {
		return err
	}
	s.out = slabs.Get().(*slab)
	return nil
}

func (s *sender) Close() { slabs.Put(s.out) }
