// SPDX-License-Identifier: BSD-3-Clause

// Package emptyrelease has functions that are given back what others took from a pool.
package emptyrelease

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"io"
	"sync"
)

// The method that is called for it only resets the value.

type zippers interface {
	AcquireZipper() *gzip.Writer
	ReleaseZipper(*gzip.Writer)
}

type pooledZippers struct {
	Zippers *sync.Pool
}

func newPooledZippers() zippers {
	return &pooledZippers{Zippers: &sync.Pool{New: func() any { return gzip.NewWriter(nil) }}}
}

func (p *pooledZippers) AcquireZipper() *gzip.Writer {
	return p.Zippers.Get().(*gzip.Writer) // want `values are taken from Zippers, but ReleaseZipper, which they are given back to, puts none`
}

func (p *pooledZippers) ReleaseZipper(w *gzip.Writer) { w.Reset(io.Discard) }

type zipped struct {
	from zippers
	w    *gzip.Writer
}

func newZipped(to io.Writer, from zippers) *zipped {
	w := from.AcquireZipper()
	w.Reset(to)
	return &zipped{from, w}
}

func (z *zipped) Close() error {
	err := z.w.Close()
	z.from.ReleaseZipper(z.w)
	z.w = nil
	return err
}

// A variable that others can reach, and functions around it.

var Scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func anyScratch() *bytes.Buffer {
	return Scratch.Get().(*bytes.Buffer) // want `values are taken from Scratch, but putScratch, which they are given back to, puts none`
}

func getScratch() *bytes.Buffer { return anyScratch() }

func putScratch(*bytes.Buffer) {}

type scratched struct{ b *bytes.Buffer }

func (s *scratched) begin() { s.b = getScratch() }

func (s *scratched) end() {
	putScratch(s.b)
	s.b = nil
}

// Right: what has no pool makes each anew.

type newZippers struct{}

func (newZippers) AcquireZipper() *gzip.Writer { return gzip.NewWriter(nil) }

func (newZippers) ReleaseZipper(*gzip.Writer) {}

// Right: Close puts, and Release is there for others.

type Deflaters struct {
	Pool sync.Pool
	last *flate.Writer
}

func (d *Deflaters) Acquire() *flate.Writer {
	w, ok := d.Pool.Get().(*flate.Writer)
	if !ok {
		w, _ = flate.NewWriter(io.Discard, 1)
	}
	d.last = w
	return w
}

func (d *Deflaters) Release(*flate.Writer) {}

func (d *Deflaters) Close() {
	if w := d.last; w != nil {
		d.last = nil
		d.Pool.Put(w)
	}
}

func deflate(d *Deflaters, to io.Writer, b []byte) error {
	w := d.Acquire()
	w.Reset(to)
	_, err := w.Write(b)
	d.Release(w)
	return err
}

// Right: it keeps them, for somebody who puts where others can reach.

type Coders struct {
	Free sync.Pool
	done []*json.Encoder
}

func (c *Coders) Get() *json.Encoder {
	e, ok := c.Free.Get().(*json.Encoder)
	if !ok {
		e = json.NewEncoder(io.Discard)
	}
	return e
}

func (c *Coders) Put(e *json.Encoder) { c.done = append(c.done, e) }

func encode(c *Coders, x any) error {
	e := c.Get()
	err := e.Encode(x)
	c.Put(e)
	return err
}

// Right: others are told to put by themselves; what is beside tells of a use, and is no release.

var Lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func TakeLine() *bytes.Buffer { return Lines.Get().(*bytes.Buffer) }

func countLine(*bytes.Buffer) {}

func line() *bytes.Buffer {
	b := TakeLine()
	countLine(b)
	return b
}

// Right: another type's function puts what the address leads to.

type Texts struct{ Pool sync.Pool }

func (t *Texts) Acquire() *bytes.Buffer {
	b, ok := t.Pool.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	return b
}

func (t *Texts) Release(*bytes.Buffer) {}

func (t *Texts) home() *sync.Pool { return &t.Pool }

type text struct {
	of *Texts
	b  *bytes.Buffer
}

func (t *text) begin() { t.b = t.of.Acquire() }

func (t *text) end() {
	t.of.Release(t.b)
	t.of.home().Put(t.b)
	t.b = nil
}
