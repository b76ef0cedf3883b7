// SPDX-License-Identifier: BSD-3-Clause

// Package ownlists has objects with a list of their own, and functions that take from that of one.
package ownlists

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// A chain of free nodes.

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

func header(kind byte) *entry {
	e := system.entry()
	e.WriteByte(kind)
	return e
}

func (j *journal) write(kind byte, text string) {
	e := header(kind)
	e.WriteString(text)
	j.to.Write(e.Bytes())
	j.done(e) // want `e was taken from free of system but is put in free of another object, from which nothing is taken`
}

func Note(text string) { system.write('n', text) }

type audit struct{ own journal }

func (a *audit) note(text string) { a.own.write('a', text) }

// A pool, and a variable that points to the one object.

type drawer struct {
	sheets sync.Pool
	name   string
}

var desk = &drawer{name: "desk"}

func sheet() *bytes.Buffer {
	b, ok := desk.sheets.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	b.Reset()
	return b
}

func (d *drawer) print(w io.Writer, x any) {
	b := sheet()
	fmt.Fprintln(b, d.name, x)
	w.Write(b.Bytes())
	d.sheets.Put(b) // want `b was taken from sheets of desk but is put in sheets of another object`
}

func printBoth(w io.Writer, x any) {
	desk.print(w, x)
	(&drawer{name: "other"}).print(w, x)
}

// A slice, of which a variable's field is the one that is taken from.

type rack struct {
	mu    sync.Mutex
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

var shared, private rack

func reply(w io.Writer, text string) {
	b := shared.pop()
	b.WriteString(text)
	w.Write(b.Bytes())
	private.push(b) // want `b was taken from items of shared but is put in items of another object`
}
