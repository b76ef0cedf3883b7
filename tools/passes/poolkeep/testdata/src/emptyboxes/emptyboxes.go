// SPDX-License-Identifier: BSD-3-Clause

// Package emptyboxes has pools of values that are put in boxes, and a second pool of each for the boxes that are empty.
package emptyboxes

import (
	"encoding/binary"
	"io"
	"strconv"
	"sync"
)

type boxes[T any] struct {
	full  sync.Pool
	empty sync.Pool
}

func (p *boxes[T]) take() (v T, ok bool) {
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

func (p *boxes[T]) give(v T) {
	box, _ := p.empty.Get().(*T)
	if box == nil {
		box = new(T)
	}
	*box = v
	p.full.Put(box) // want `full keeps box, put at line \d+, whatever its size: what one large input made grow`
}

var lines boxes[[]byte]

func addAll(w io.Writer, ns []int64) error {
	b, ok := lines.take()
	if !ok {
		b = make([]byte, 0, 64)
	}
	b = b[:0]
	for _, n := range ns {
		b = strconv.AppendInt(b, n, 10)
	}
	_, err := w.Write(b)
	lines.give(b)
	return err
}

// Wrong: the pool of empty boxes makes them, and a deferred literal gives the slice back.

type point struct{ x, y float64 }

type store[E any] struct{ free, spare sync.Pool }

func newStore[E any]() *store[E] {
	s := new(store[E])
	s.spare.New = func() any { return new(E) }
	return s
}

func (s *store[E]) put(e E) {
	p := s.spare.Get().(*E)
	*p = e
	s.free.Put(p) // want `free keeps p, put at line \d+, whatever its size: what one large input made grow`
}

func (s *store[E]) get() (e E) {
	p, _ := s.free.Get().(*E)
	if p == nil {
		return e
	}
	e, *p = *p, e
	s.spare.Put(p)
	return e
}

var points = newStore[[]point]()

func sum(in [][2]float64, f func([]point) float64) float64 {
	ps := points.get()[:0]
	for _, v := range in {
		ps = append(ps, point{v[0], v[1]})
	}
	defer func() { points.put(ps) }()
	return f(ps)
}

// Wrong: what grew is kept in a list, and given back when all of that was written.

type sample struct {
	ref uint64
	t   int64
}

type zeros[T any] struct {
	items, pointers sync.Pool
}

func (z *zeros[T]) Get() T {
	ptr, ok := z.items.Get().(*T)
	if !ok {
		var zero T
		return zero
	}
	item := *ptr
	var zero T
	*ptr = zero
	z.pointers.Put(ptr)
	return item
}

func (z *zeros[T]) Put(item T) {
	ptr, ok := z.pointers.Get().(*T)
	if !ok {
		ptr = new(T)
	}
	*ptr = item
	z.items.Put(ptr) // want `records keeps ptr, put at line \d+, whatever its size: what one large input made grow`
}

type head struct {
	records zeros[[]byte]
	log     func(...[]byte) error
}

func (h *head) buffer() []byte {
	b := h.records.Get()
	if b == nil {
		return make([]byte, 0, 1024)
	}
	return b
}

func (h *head) putBuffer(b []byte) { h.records.Put(b[:0]) }

func encoded(b []byte, s []sample) []byte {
	for _, x := range s {
		b = binary.AppendUvarint(b, x.ref)
		b = binary.AppendVarint(b, x.t)
	}
	return b
}

type appender struct {
	head    *head
	batches [][]sample
	encoded [][]byte
}

func (a *appender) collect() {
	for _, batch := range a.batches {
		r := encoded(a.head.buffer(), batch)
		a.encoded = append(a.encoded, r)
	}
	a.batches = nil
}

func (a *appender) Commit() error {
	defer func() {
		for i, r := range a.encoded {
			a.head.putBuffer(r)
			a.encoded[i] = nil
		}
		a.encoded = a.encoded[:0]
	}()
	a.collect()
	if len(a.encoded) == 0 {
		return nil
	}
	return a.head.log(a.encoded...)
}
