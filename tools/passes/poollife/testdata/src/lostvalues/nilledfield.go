// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// A field is set to nil on the way of an error, and what it held goes with it.

var leaves = sync.Pool{New: func() any { return new(leaf) }}

type leaf struct {
	data [512]byte
	n    int
}

type printer struct {
	w   io.Writer
	cur *leaf
	err error
}

func newPrinter(w io.Writer) *printer { return &printer{w: w, cur: leaves.Get().(*leaf)} }

func (p *printer) Flush() error {
	l := p.cur
	if _, err := p.w.Write(l.data[:l.n]); err != nil {
		p.cur, p.err = nil, err // want `field cur is set to nil on the way of an error without a Put of what it holds`
		return err
	}
	p.cur = nil
	leaves.Put(l)
	return nil
}

// The field is cleared first.
type spooler struct {
	w   io.Writer
	buf *bytes.Buffer
}

var spoolBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func newSpooler(w io.Writer) *spooler {
	b := spoolBuffers.Get().(*bytes.Buffer)
	b.Reset()
	return &spooler{w: w, buf: b}
}

var errSpool = errors.New("nothing to write")

func (s *spooler) take() *bytes.Buffer {
	b := s.buf
	s.buf = nil // want `field buf is set to nil on the way of an error without a Put of what it holds`
	return b
}

func (s *spooler) Write(text string) error {
	b := s.take()
	if b == nil {
		return errSpool
	}
	b.WriteString(text)
	if _, err := s.w.Write(b.Bytes()); err != nil {
		return err
	}
	spoolBuffers.Put(b)
	return nil
}

// The value is put on all ways, or somebody else has it, or the error is its own.
type printerRight struct {
	w   io.Writer
	cur *leaf
	err error
}

func newPrinterRight(w io.Writer) *printerRight {
	return &printerRight{w: w, cur: leaves.Get().(*leaf)}
}

func (p *printerRight) Flush() error {
	l := p.cur
	if _, err := p.w.Write(l.data[:l.n]); err != nil {
		leaves.Put(l)
		p.cur, p.err = nil, err
		return err
	}
	p.cur = nil
	leaves.Put(l)
	return nil
}

type printerKeeps struct {
	w         io.Writer
	cur, last *leaf
}

func newPrinterKeeps(w io.Writer) *printerKeeps {
	return &printerKeeps{w: w, cur: leaves.Get().(*leaf)}
}

func (p *printerKeeps) Flush() error {
	l := p.cur
	if _, err := p.w.Write(l.data[:l.n]); err != nil {
		p.cur, p.last = nil, l
		return err
	}
	p.cur = nil
	leaves.Put(l)
	return nil
}

type pager interface {
	io.Writer
	release(*leaf)
}

type printerGives struct {
	w   pager
	cur *leaf
}

func newPrinterGives(w pager) *printerGives { return &printerGives{w: w, cur: leaves.Get().(*leaf)} }

func (p *printerGives) Flush() error {
	l := p.cur
	if _, err := p.w.Write(l.data[:l.n]); err != nil {
		p.w.release(l)
		p.cur = nil
		return err
	}
	p.cur = nil
	leaves.Put(l)
	return nil
}

type press struct{ left int }

func (p *press) run(w io.Writer) error {
	if p.left == 0 {
		return errSpool
	}
	p.left--
	return nil
}

var presses = sync.Pool{New: func() any { return new(press) }}

type plant struct {
	w     io.Writer
	press *press
}

func newPlant(w io.Writer) *plant { return &plant{w: w, press: presses.Get().(*press)} }

func (s *plant) Print() error {
	if err := s.press.run(s.w); err != nil {
		s.press = nil // it is worn out
		return err
	}
	presses.Put(s.press)
	s.press = nil
	return nil
}
