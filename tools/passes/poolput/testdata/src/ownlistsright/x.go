// SPDX-License-Identifier: BSD-3-Clause

// Package ownlistsright has objects with a list of their own that is taken from, or is not the one that is put to.
package ownlistsright

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

type entry struct {
	bytes.Buffer
	next *entry
}

type journal struct {
	mu   sync.Mutex
	to   io.Writer
	free *entry
}

func (j *journal) entry() *entry {
	j.mu.Lock()
	e := j.free
	if e != nil {
		j.free = e.next
	}
	j.mu.Unlock()
	if e == nil {
		return new(entry)
	}
	e.next = nil
	e.Reset()
	return e
}

func (j *journal) done(e *entry) {
	if e.Cap() > 1024 {
		return
	}
	j.mu.Lock()
	e.next = j.free
	j.free = e
	j.mu.Unlock()
}

var system journal

// All go back to the one.
func (j *journal) write(text string) {
	e := system.entry()
	e.WriteString(text)
	j.to.Write(e.Bytes())
	system.done(e)
}

func Note(text string) { system.write(text) }

type audit struct{ own journal }

func (a *audit) note(text string) { a.own.write(text) }

// Each takes from its own as well.

type drawer struct {
	sheets sync.Pool
	name   string
}

var desk = &drawer{name: "desk"}

func (d *drawer) sheet() *bytes.Buffer {
	b, ok := d.sheets.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	b.Reset()
	return b
}

func (d *drawer) print(w io.Writer, x any) {
	b := d.sheet()
	fmt.Fprintln(b, d.name, x)
	w.Write(b.Bytes())
	d.sheets.Put(b)
}

func printBoth(w io.Writer, x any) {
	desk.print(w, x)
	(&drawer{name: "other"}).print(w, x)
}

// It asks whether it is the one, or whether it may.

type rack struct {
	mu    sync.Mutex
	keeps bool
	items []*bytes.Buffer
}

func (r *rack) pop() *bytes.Buffer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.items); n > 0 {
		b := r.items[n-1]
		r.items[n-1] = nil
		r.items = r.items[:n-1]
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

func (r *rack) push(b *bytes.Buffer) {
	r.mu.Lock()
	r.items = append(r.items, b)
	r.mu.Unlock()
}

var shared = rack{keeps: true}

func (r *rack) reply(w io.Writer, text string) {
	b := shared.pop()
	b.WriteString(text)
	w.Write(b.Bytes())
	if r == &shared {
		r.push(b)
	}
}

func (r *rack) answer(w io.Writer, text string) {
	b := shared.pop()
	b.WriteString(text)
	w.Write(b.Bytes())
	if r.keeps {
		r.push(b)
	}
}

type desks struct{ second rack }

func (d *desks) serve(w io.Writer, text string) {
	d.second.reply(w, text)
	d.second.answer(w, text)
	shared.reply(w, text)
	shared.answer(w, text)
}

// What points to an object may point to the variable.

type crate struct {
	mu    sync.Mutex
	items []*bytes.Buffer
}

func (c *crate) pop() *bytes.Buffer {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.items); n > 0 {
		b := c.items[n-1]
		c.items[n-1] = nil
		c.items = c.items[:n-1]
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

func (c *crate) push(b *bytes.Buffer) {
	c.mu.Lock()
	c.items = append(c.items, b)
	c.mu.Unlock()
}

type kitchen struct{ crate *crate }

var counter crate

func newKitchen() *kitchen { return &kitchen{&counter} }

func (k *kitchen) serve(w io.Writer, text string) {
	b := counter.pop()
	b.WriteString(text)
	w.Write(b.Bytes())
	k.crate.push(b)
}

// Its list is taken from by a method that a variable has.

type shelf struct {
	mu   sync.Mutex
	jars []*bytes.Buffer
}

func (s *shelf) jar() *bytes.Buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.jars); n > 0 {
		b := s.jars[n-1]
		s.jars[n-1] = nil
		s.jars = s.jars[:n-1]
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

func (s *shelf) keep(b *bytes.Buffer) {
	s.mu.Lock()
	s.jars = append(s.jars, b)
	s.mu.Unlock()
}

var first shelf

func (s *shelf) store(w io.Writer, text string) {
	b := first.jar()
	b.WriteString(text)
	w.Write(b.Bytes())
	s.keep(b)
}

type pantry struct {
	low  shelf
	take func() *bytes.Buffer
}

func newPantry() *pantry {
	p := &pantry{}
	p.take = p.low.jar
	return p
}

func (p *pantry) fill(w io.Writer) {
	p.low.store(w, "low")
	first.store(w, "first")
}
