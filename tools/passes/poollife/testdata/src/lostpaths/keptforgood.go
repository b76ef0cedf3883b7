// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import (
	"bytes"
	"io"
	"sync"
)

// Methods leave a buffer in a field of their object.

var tails = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getTail() *bytes.Buffer { return tails.Get().(*bytes.Buffer) }

func putTail(b *bytes.Buffer) {
	b.Reset()
	tails.Put(b)
}

// Nobody puts what is the last one.

type tailed struct {
	r    io.Reader
	last *bytes.Buffer
}

func (t *tailed) read() error {
	b := getTail()
	defer putTail(b)
	if _, err := b.ReadFrom(t.r); err != nil {
		return err
	}
	if b.Len() < 4 {
		t.last = getTail() // want `left in field last \(line 36\), and nothing in the package puts it back`
		t.last.Write(b.Bytes())
		return io.EOF
	}
	return nil
}

func (t *tailed) rest() string { return t.last.String() }

// The same, in a struct of the object's.

type packet struct {
	body *bytes.Buffer
	kind byte
}

type packets struct {
	r   io.Reader
	end packet
}

func (p *packets) into(to *packet) error {
	_, err := to.body.ReadFrom(p.r)
	to.kind = 1
	return err
}

func (p *packets) next() error {
	b := getTail()
	defer putTail(b)
	in := &packet{body: b}
	if err := p.into(in); err != nil {
		return err
	}
	if in.kind != 0 {
		p.end = packet{
			body: getTail(), // want `left in field end \(line 71\), and nothing in the package puts it back`
			kind: in.kind,
		}
		p.end.body.Write(b.Bytes())
		return io.EOF
	}
	return nil
}

type trailer struct {
	in   packets
	text string
}

func newTrailer(r io.Reader) *trailer { return &trailer{in: packets{r: r}} }

func (t *trailer) read() error {
	if err := t.in.next(); err != io.EOF {
		return err
	}
	t.text = t.in.end.body.String()
	return nil
}

// This one is put when the object is closed.

type closed struct{ last *bytes.Buffer }

func (c *closed) read(r io.Reader) {
	c.last = getTail()
	c.last.ReadFrom(r)
}

func (c *closed) Close() { putTail(c.last) }

// This one is made once.

type once struct{ last *bytes.Buffer }

func (o *once) read(r io.Reader) {
	if o.last == nil {
		o.last = getTail()
	}
	o.last.ReadFrom(r)
}

// This one goes on to who asks for it.

type givenOn struct{ last *bytes.Buffer }

func (g *givenOn) read(r io.Reader) {
	g.last = getTail()
	g.last.ReadFrom(r)
}

func (g *givenOn) take() *bytes.Buffer { return g.last }

// This one may be put by a function that is not in view.

type hooked struct {
	last *bytes.Buffer
	end  func(*bytes.Buffer)
}

func (h *hooked) read(r io.Reader) {
	h.last = getTail()
	h.last.ReadFrom(r)
}

func (h *hooked) Close() { h.end(h.last) }

// This one goes with its object to another pool, where the next user overwrites it.

type nested struct{ last *bytes.Buffer }

var nesteds = sync.Pool{New: func() any { return new(nested) }}

func useNested(r io.Reader) int {
	n := nesteds.Get().(*nested)
	n.fill(r)
	k := n.last.Len()
	n.last.Reset()
	nesteds.Put(n)
	return k
}

func (n *nested) fill(r io.Reader) {
	n.last = getTail() // want `left in field last`
	n.last.ReadFrom(r)
}
