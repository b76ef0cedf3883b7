// SPDX-License-Identifier: BSD-3-Clause

// Package emptyboxesright has pools of values in boxes that keep nothing large.
package emptyboxesright

import (
	"io"
	"strconv"
	"sync"
)

// Right: buffers of one size.

type blockBoxes[T any] struct{ full, empty sync.Pool }

func (p *blockBoxes[T]) take() (v T, ok bool) {
	box, ok := p.full.Get().(*T)
	if !ok {
		return v, false
	}
	v = *box
	var zero T
	*box = zero
	p.empty.Put(box)
	return v, true
}

func (p *blockBoxes[T]) give(v T) {
	box, _ := p.empty.Get().(*T)
	if box == nil {
		box = new(T)
	}
	*box = v
	p.full.Put(box)
}

var blocks blockBoxes[[]byte]

func copyAll(w io.Writer, r io.Reader) error {
	b, ok := blocks.take()
	if !ok {
		b = make([]byte, 4096)
	}
	_, err := io.CopyBuffer(w, r, b)
	blocks.give(b)
	return err
}

// What is in the list was only cut.
type queue struct {
	blocks [][]byte
}

func (q *queue) read(r io.Reader) error {
	b, ok := blocks.take()
	if !ok {
		b = make([]byte, 4096)
	}
	n, err := r.Read(b)
	q.blocks = append(q.blocks, b[:n])
	return err
}

func (q *queue) write(w io.Writer) {
	for _, b := range q.blocks {
		w.Write(b)
		blocks.give(b[:cap(b)])
	}
	q.blocks = nil
}

// Right: who gives it back asks for the capacity.

type lineBoxes[T any] struct{ full, empty sync.Pool }

func (p *lineBoxes[T]) take() (v T, ok bool) {
	box, ok := p.full.Get().(*T)
	if !ok {
		return v, false
	}
	v = *box
	var zero T
	*box = zero
	p.empty.Put(box)
	return v, true
}

func (p *lineBoxes[T]) give(v T) {
	box, _ := p.empty.Get().(*T)
	if box == nil {
		box = new(T)
	}
	*box = v
	p.full.Put(box)
}

var lines lineBoxes[[]byte]

type writer struct {
	w    io.Writer
	full [][]byte
}

func (w *writer) add(ns []int64) {
	b, _ := lines.take()
	b = b[:0]
	for _, n := range ns {
		b = strconv.AppendInt(b, n, 10)
	}
	w.full = append(w.full, b)
}

func (w *writer) flush() {
	for _, b := range w.full {
		w.w.Write(b)
		if cap(b) < 1<<16 {
			lines.give(b)
		}
	}
	w.full = nil
}

// Right: a batch is handed on when it is full.

type batchBoxes[T any] struct{ full, empty sync.Pool }

func (p *batchBoxes[T]) take() (v T, ok bool) {
	box, ok := p.full.Get().(*T)
	if !ok {
		return v, false
	}
	var zero T
	v, *box = *box, zero
	p.empty.Put(box)
	return v, true
}

func (p *batchBoxes[T]) give(v T) {
	box, _ := p.empty.Get().(*T)
	if box == nil {
		box = new(T)
	}
	*box = v
	p.full.Put(box)
}

var batches batchBoxes[[]int]

const most = 64

func run(in []int, f func([]int)) {
	b, ok := batches.take()
	if !ok {
		b = make([]int, 0, most)
	}
	b = b[:0]
	for _, n := range in {
		b = append(b, n)
		if len(b) == most {
			f(b)
			b = b[:0]
		}
	}
	f(b)
	batches.give(b)
}

// Right: the wrapper asks a function that it was made with, which asks for the capacity.

type keptBoxes[T any] struct {
	full, empty sync.Pool
	keep        func(T) bool
}

func (p *keptBoxes[T]) take() (v T, ok bool) {
	box, ok := p.full.Get().(*T)
	if !ok {
		return v, false
	}
	v = *box
	var zero T
	*box = zero
	p.empty.Put(box)
	return v, true
}

func (p *keptBoxes[T]) give(v T) {
	if !p.keep(v) {
		return
	}
	box, _ := p.empty.Get().(*T)
	if box == nil {
		box = new(T)
	}
	*box = v
	p.full.Put(box)
}

func small(b []byte) bool { return cap(b) < 1<<16 }

var texts = keptBoxes[[]byte]{keep: small}

func addText(ns []int64, f func([]byte)) {
	b, ok := texts.take()
	if !ok {
		b = make([]byte, 0, 64)
	}
	b = b[:0]
	for _, n := range ns {
		b = strconv.AppendInt(b, n, 10)
	}
	f(b)
	texts.give(b)
}
