// SPDX-License-Identifier: BSD-3-Clause

// Package freechain keeps free nodes in chains.
package freechain

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

type page struct {
	bytes.Buffer
	next *page
}

type pages struct {
	mu   sync.Mutex
	free *page
}

func (p *pages) take() *page {
	p.mu.Lock()
	x := p.free
	if x != nil {
		p.free = x.next
	}
	p.mu.Unlock()
	if x == nil {
		return new(page)
	}
	x.next = nil
	x.Reset()
	return x
}

func (p *pages) give(x *page) {
	if x.Cap() > 1<<16 {
		return
	}
	p.mu.Lock()
	x.next = p.free
	p.free = x
	p.mu.Unlock()
}

// Wrong: it is free when its length is asked for.
func (p *pages) count(w io.Writer, s string) int {
	x := p.take()
	x.WriteString(s)
	w.Write(x.Bytes())
	p.give(x)
	return x.Len() // want `x is used by Len after it was put in the free list free`
}

// Right: it is not yet.
func (p *pages) counted(w io.Writer, s string) int {
	x := p.take()
	defer p.give(x)
	x.WriteString(s)
	w.Write(x.Bytes())
	return x.Len()
}

// Wrong: who takes it next writes over what is returned.
func (p *pages) quoted(s string) []byte {
	x := p.take()
	defer p.give(x)
	fmt.Fprintf(x, "%q", s)
	return x.Bytes() // want `memory of x is returned while the deferred call puts it`
}

// Right: a copy is returned.
func (p *pages) copied(s string) []byte {
	x := p.take()
	defer p.give(x)
	fmt.Fprintf(x, "%q", s)
	return bytes.Clone(x.Bytes())
}

// Wrong: where it fails nobody has it.
func (p *pages) write(w io.Writer, s string) error {
	x := p.take() // want `x, taken from the free list free at line 84, is not put back on the path that ends here`
	x.WriteString(s)
	if _, err := w.Write(x.Bytes()); err != nil {
		return err
	}
	p.give(x)
	return nil
}

// Wrong: the others give back what they take.
func (p *pages) line(w io.Writer, s string) error {
	x := p.take() // want `x, taken from the free list free at line 95, is not put back on any path`
	fmt.Fprintln(x, s)
	_, err := w.Write(x.Bytes())
	return err
}

// Wrong: it is first in the chain and second as well.
func (p *pages) twice(w io.Writer, s string) {
	x := p.take()
	defer p.give(x) // want `x is put in the free list free a second time`
	x.WriteString(s)
	if _, err := w.Write(x.Bytes()); err != nil {
		p.give(x)
	}
}

// Nodes of a tree, of which nobody says when they must be given back.

type node struct {
	key         int
	left, right *node
	free        *node
}

type tree struct {
	root  *node
	spare *node
	n     int
}

func (t *tree) node(key int) *node {
	if t.spare == nil {
		return &node{key: key}
	}
	x := t.spare
	t.spare, x.free = x.free, nil
	t.n--
	x.key = key
	return x
}

func (t *tree) drop(x *node) {
	x.left, x.right = nil, nil
	if t.n < 64 {
		x.free = t.spare
		t.spare = x
		t.n++
	}
}

func (t *tree) add(key int) {
	p := &t.root
	for *p != nil {
		if key < (*p).key {
			p = &(*p).left
		} else {
			p = &(*p).right
		}
	}
	*p = t.node(key)
}

// Right: the way on is read first.
func (t *tree) clear() {
	for x := t.root; x != nil; {
		next := x.right
		t.drop(x)
		x = next
	}
	t.root = nil
}

// Wrong: the node that leads on is a free one.
func (t *tree) cut() {
	for x := t.root; x != nil; x = x.right { // want `x is read after it was put in the free list spare`
		t.drop(x)
	}
	t.root = nil
}

// Right: the key was read before.
func (t *tree) first() (key int) {
	x := t.root
	if x == nil {
		return 0
	}
	key = x.key
	t.root = x.right
	t.drop(x)
	return key
}

// Calls that wait are chained as well: who finds none has nothing to do, and makes none.

type call struct {
	arg  int
	next *call
}

type calls struct {
	mu   sync.Mutex
	last *call
}

func (c *calls) push(x *call) {
	c.mu.Lock()
	x.next = c.last
	c.last = x
	c.mu.Unlock()
}

func (c *calls) pop() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.last
	if x != nil {
		c.last = x.next
	}
	return x
}

// Right: what was done last is known.
func (c *calls) run(f func(int) bool) int {
	n := 0
	for x := c.pop(); x != nil; x = c.pop() {
		if !f(x.arg) {
			c.push(x)
			return x.arg
		}
		n++
	}
	return n
}
