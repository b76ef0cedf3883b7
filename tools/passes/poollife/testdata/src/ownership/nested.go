package ownership

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

type reading struct {
	name string
	vals []float64
}

type batch struct{ list []reading }

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) free() {
	for i := range b.list {
		r := &b.list[i]
		r.vals = r.vals[:0]
	}
	b.list = b.list[:0]
	batches.Put(b)
}

type group struct{ vals []float64 }

// The loop takes the values out of its copy of each reading.
func grouped(b *batch) map[string][]group {
	m := map[string][]group{}
	for _, r := range b.list {
		m[r.name] = append(m[r.name], group{r.vals})
		r.vals = nil
	}
	b.free()
	return m // want `memory of b is returned after it was put in batches`
}

func groupedOut(b *batch) map[string][]group {
	m := map[string][]group{}
	for i := range b.list {
		r := &b.list[i]
		m[r.name] = append(m[r.name], group{r.vals})
		r.vals = nil
	}
	b.free()
	return m
}

func groupedCopy(b *batch) map[string][]group {
	m := map[string][]group{}
	for _, r := range b.list {
		m[r.name] = append(m[r.name], group{slices.Clone(r.vals)})
	}
	b.free()
	return m
}

type table struct{ rows [][]byte }

func parseTable(p []byte) *table {
	b := letters.Get().(*bytes.Buffer)
	b.Reset()
	defer letters.Put(b)
	b.Write(p)
	t := &table{}
	for _, l := range bytes.Split(b.Bytes(), []byte("\n")) {
		t.rows = append(t.rows, l)
	}
	return t // want `memory of b is returned while the deferred call puts it in letters`
}

func parseTableCopy(p []byte) *table {
	b := letters.Get().(*bytes.Buffer)
	b.Reset()
	defer letters.Put(b)
	b.Write(p)
	t := &table{}
	for _, l := range bytes.Split(b.Bytes(), []byte("\n")) {
		t.rows = append(t.rows, bytes.Clone(l))
	}
	return t
}

// A callee that is not in view may fill what it is given.
type totals struct{ byName map[string][]float64 }

func (t *totals) add(k string, fill func(*reading)) {
	r := readings.Get().(*reading)
	r.vals = r.vals[:0]
	fill(r)
	t.byName[k] = r.vals // want `an element of a slice or map keeps memory of r after the value was put in readings`
	readings.Put(r)
}

func (t *totals) addCut(k string, fill func(*reading)) {
	r := readings.Get().(*reading)
	r.vals = r.vals[:0]
	fill(r)
	t.byName[k] = r.vals
	r.vals = nil
	readings.Put(r)
}

var readings = sync.Pool{New: func() any { return new(reading) }}

// Method values.
func encodeBound(p []byte) []byte {
	b := letters.Get().(*bytes.Buffer)
	b.Reset()
	put := letters.Put
	defer put(b)
	b.Write(p)
	return b.Bytes() // want `memory of the value is returned while the deferred call puts it in letters|memory of b is returned while the deferred call puts it in letters`
}

func encodeBoundCopy(p []byte) []byte {
	b := letters.Get().(*bytes.Buffer)
	b.Reset()
	put := letters.Put
	defer put(b)
	b.Write(p)
	return bytes.Clone(b.Bytes())
}

// The function runs when the context ends, unless it is stopped.
func watched(ctx context.Context, work func()) {
	r := readings.Get().(*reading)
	context.AfterFunc(ctx, func() { r.name = "ended" })
	work()
	readings.Put(r) // want `r is put in readings while the function that runs when the context ends .* may still use it`
}

func watchedStop(ctx context.Context, work func()) {
	r := readings.Get().(*reading)
	stop := context.AfterFunc(ctx, func() { r.name = "ended" })
	work()
	if stop() {
		readings.Put(r)
	}
}

// The last reference is dropped, and one more.
type shared struct {
	refs atomic.Int32
	b    []byte
}

var shareds = sync.Pool{New: func() any { return new(shared) }}

func newShared() *shared {
	s := shareds.Get().(*shared)
	s.refs.Store(1)
	return s
}

func (s *shared) drop() {
	if s.refs.Add(-1) == 0 {
		shareds.Put(s)
	}
}

func dropTwice(p []byte) {
	s := newShared()
	defer s.drop() // want `s is put in shareds a second time`
	if len(p) == 0 {
		s.drop()
		return
	}
	s.b = append(s.b[:0], p...)
}

func dropOnce(p []byte) {
	s := newShared()
	defer s.drop()
	if len(p) == 0 {
		return
	}
	s.b = append(s.b[:0], p...)
}
