// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"bytes"
	"io"
	"sync"
)

// Pieces of a pooled slab that are taken off a queue, written and put one by one.

const slabSize = 2048

var slabPool = sync.Pool{New: func() any { return new([slabSize]byte) }}

func newSlab() []byte { return slabPool.Get().(*[slabSize]byte)[:0] }

func endSlab(b []byte) {
	if cap(b) == slabSize {
		slabPool.Put((*[slabSize]byte)(b[:slabSize]))
	}
}

type wrappedPiece struct {
	id   int
	data []byte
	last bool
}

type courier struct {
	queue    [][]byte
	packets  []wrappedPiece
	pointers []*wrappedPiece
	belt     chan []byte
	tight    [][]byte
	tightCh  chan []byte
	marked   []wrappedPiece
	copies   []wrappedPiece
	batch    [][]byte
}

// keep has a slab whose pieces are elsewhere.
func (c *courier) keep(slab []byte) { c.batch = append(c.batch, slab) }

func (c *courier) load(text []byte, each int) [][]byte {
	var list [][]byte
	buf := bytes.NewBuffer(newSlab())
	buf.Write(text)
	c.keep(buf.Bytes())
	rest := buf.Bytes()
	for len(rest) > 0 {
		n := min(each, len(rest))
		list = append(list, rest[:n])
		rest = rest[n:]
	}
	return list
}

func (c *courier) deliver(w io.Writer, text []byte) error {
	c.queue = append(c.queue, c.load(text, 100)...)
	for len(c.queue) > 0 {
		if _, err := w.Write(c.queue[0]); err != nil {
			return err
		}
		endSlab(c.queue[0]) // want `the slices \(c\.queue\[0\]\) that this loop uses and puts one by one are cut from one buffer \(line 54\)`
		c.queue = c.queue[1:]
	}
	return nil
}

// The elements are structs.
func (c *courier) pack(text []byte, each int) {
	slab := append(newSlab(), text...)
	c.keep(slab)
	for id := 0; len(slab) > 0; id++ {
		n := min(each, len(slab))
		c.packets = append(c.packets, wrappedPiece{id: id, data: slab[:n]})
		slab = slab[n:]
	}
}

func (c *courier) unpack(w io.Writer) {
	for _, p := range c.packets {
		w.Write(p.data)
		endSlab(p.data) // want `the slices \(p\.data\) that this loop uses and puts one by one are cut from one buffer \(line 78\)`
	}
	c.packets = nil
}

// Or pointers to them, in a queue that is a variable.
func (c *courier) point(text []byte, each int) {
	slab := append(newSlab(), text...)
	c.keep(slab)
	for id := 0; len(slab) > 0; id++ {
		n := min(each, len(slab))
		c.pointers = append(c.pointers, &wrappedPiece{id: id, data: slab[:n]})
		slab = slab[n:]
	}
}

func (c *courier) follow(w io.Writer) {
	todo := c.pointers
	c.pointers = nil
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		w.Write(p.data)
		endSlab(p.data) // want `the slices \(p\.data\) that this loop uses and puts one by one are cut from one buffer \(line 97\)`
	}
}

// The queue is a channel.
func (c *courier) roll(text []byte, each int) {
	slab := append(newSlab(), text...)
	c.keep(slab)
	for len(slab) > 0 {
		n := min(each, len(slab))
		c.belt <- slab[:n]
		slab = slab[n:]
	}
}

func (c *courier) unroll(w io.Writer) {
	for b := range c.belt {
		w.Write(b)
		endSlab(b) // want `the slices \(b\) that this loop uses and puts one by one are cut from one buffer \(line 119\)`
	}
}

// Each piece ends where its bytes do: none is taken for a slab.
func (c *courier) loadTight(text []byte, each int) {
	slab := append(newSlab(), text...)
	c.batch = append(c.batch, slab)
	for len(slab) > 0 {
		n := min(each, len(slab))
		c.tight = append(c.tight, slab[:n:n])
		c.tightCh <- slab[:n:n]
		slab = slab[n:]
	}
}

func (c *courier) deliverTight(w io.Writer) {
	for len(c.tight) > 0 {
		w.Write(c.tight[0])
		endSlab(c.tight[0])
		c.tight = c.tight[1:]
	}
	for b := range c.tightCh {
		w.Write(b)
		endSlab(b)
	}
}

// Only what has the mark of the last is put, when all are written.
func (c *courier) mark(text []byte, each int) {
	slab := append(newSlab(), text...)
	whole := slab
	for len(slab) > each {
		c.marked = append(c.marked, wrappedPiece{data: slab[:each]})
		slab = slab[each:]
	}
	c.marked = append(c.marked, wrappedPiece{data: slab}, wrappedPiece{data: whole[:0], last: true})
}

func (c *courier) deliverMarked(w io.Writer) {
	for len(c.marked) > 0 {
		p := c.marked[0]
		c.marked = c.marked[1:]
		if p.last {
			endSlab(p.data)
			continue
		}
		w.Write(p.data)
	}
}

// Copies in slabs of their own.
func (c *courier) copyOut(text []byte, each int) {
	slab := append(newSlab(), text...)
	rest := slab
	for len(rest) > 0 {
		n := min(each, len(rest))
		c.copies = append(c.copies, wrappedPiece{data: append(newSlab(), rest[:n]...)})
		rest = rest[n:]
	}
	endSlab(slab)
}

func (c *courier) deliverCopies(w io.Writer) {
	for len(c.copies) > 0 {
		w.Write(c.copies[0].data)
		endSlab(c.copies[0].data)
		c.copies = c.copies[1:]
	}
}
