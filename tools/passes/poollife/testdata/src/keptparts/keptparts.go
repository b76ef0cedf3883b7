// SPDX-License-Identifier: BSD-3-Clause

// Package keptparts keeps parts of pooled memory: in errors, in slices of buffers, in maps that are
// only added to.
package keptparts

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"sync"
	"unsafe"
)

var lines = sync.Pool{New: func() any { b := make([]byte, 256); return &b }}

type badByte struct {
	at   int
	near []byte
}

func (e *badByte) Error() string { return fmt.Sprintf("bad byte at %d: %q", e.at, e.near) }

func check(b []byte) error {
	for i, c := range b {
		if c > 127 {
			return &badByte{i, b[i:]}
		}
	}
	return nil
}

func readLine(r io.Reader) error {
	b := lines.Get().(*[]byte)
	defer lines.Put(b)
	n, err := r.Read(*b)
	if err != nil {
		return err
	}
	if err := check((*b)[:n]); err != nil {
		return fmt.Errorf("line: %w", err) // want `memory of b is returned while the deferred call puts it in lines`
	}
	return nil
}

func readLineRight(r io.Reader) error {
	b := lines.Get().(*[]byte)
	defer lines.Put(b)
	n, err := r.Read(*b)
	if err != nil {
		return err
	}
	if err := check((*b)[:n]); err != nil {
		return fmt.Errorf("line: %v", err)
	}
	return nil
}

var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func write(c net.Conn, head []byte, text string) error {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(text)
	all := net.Buffers{head, b.Bytes()}
	texts.Put(b)
	_, err := all.WriteTo(c) // want `b is written after it was put in texts`
	return err
}

func writeRight(c net.Conn, head []byte, text string) error {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(text)
	all := net.Buffers{head, b.Bytes()}
	_, err := all.WriteTo(c)
	texts.Put(b)
	return err
}

type page struct {
	n   int
	mem [1 << 12]byte
}

var pages = sync.Pool{New: func() any { return new(page) }}

// An archive finds its entries in pages that are gone.
type archive struct {
	page    *page
	entries map[string][]byte
	out     io.Writer
}

func (a *archive) add(key string, entry []byte) {
	if a.page.n+len(entry) > len(a.page.mem) {
		a.turn()
	}
	at := a.page.n
	a.page.n += copy(a.page.mem[at:], entry)
	a.entries[key] = a.page.mem[at:a.page.n] // want `an element of a slice or map keeps memory of a\.page after the value was put in pages`
}

func (a *archive) turn() {
	a.out.Write(a.page.mem[:a.page.n])
	a.page.n = 0
	pages.Put(a.page)
	a.page = pages.Get().(*page)
}

// A window forgets them with the page.
type window struct {
	page    *page
	entries map[string][]byte
	out     io.Writer
}

func (w *window) add(key string, entry []byte) {
	if w.page.n+len(entry) > len(w.page.mem) {
		w.turn()
	}
	at := w.page.n
	w.page.n += copy(w.page.mem[at:], entry)
	w.entries[key] = w.page.mem[at:w.page.n]
}

func (w *window) turn() {
	w.out.Write(w.page.mem[:w.page.n])
	clear(w.entries)
	w.page.n = 0
	pages.Put(w.page)
	w.page = pages.Get().(*page)
}

// An order carries values for those that work on it.
type order struct {
	values map[string]any
	next   func(*order) error
}

func (o *order) set(key string, v any) { o.values[key] = v }

type basket struct {
	order *order
	items []string
}

var baskets = sync.Pool{New: func() any { return new(basket) }}

func shop(o *order) error {
	b := baskets.Get().(*basket)
	b.order = o
	o.set("basket", b) // want `an element of a slice or map keeps memory of b after the value was put in baskets`
	err := o.next(o)
	b.order, b.items = nil, b.items[:0]
	baskets.Put(b)
	return err
}

func shopRight(o *order) error {
	b := baskets.Get().(*basket)
	b.order = o
	o.set("basket", b)
	err := o.next(o)
	if b.order != nil {
		b.order.set("basket", nil)
	}
	b.order, b.items = nil, b.items[:0]
	baskets.Put(b)
	return err
}

// A parser reads into its buffer by way of another one.
type parser struct{ buf []byte }

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) read(r io.Reader) error {
	b := bytes.NewBuffer(p.buf[:0])
	_, err := b.ReadFrom(r)
	p.buf = b.Bytes()
	return err
}

func (p *parser) done() {
	p.buf = p.buf[:0]
	parsers.Put(p)
}

type names struct{ list []string }

func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (n *names) load(r io.Reader) error {
	p := parsers.Get().(*parser)
	defer p.done()
	if err := p.read(r); err != nil {
		return err
	}
	for line := range bytes.Lines(p.buf) {
		n.list = append(n.list, text(line)) // want `an element of a slice or map keeps memory of p after the value was put in parsers`
	}
	return nil
}

func (n *names) loadRight(r io.Reader) error {
	p := parsers.Get().(*parser)
	defer p.done()
	if err := p.read(r); err != nil {
		return err
	}
	for line := range bytes.Lines(p.buf) {
		n.list = append(n.list, string(line))
	}
	return nil
}
