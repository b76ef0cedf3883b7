// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"strings"
	"sync"
	"unsafe"
)

var textBufs = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

type pair struct{ key, val string }

type query struct {
	pairs []pair
	byKey map[string]string
	names []string
	first *pair
}

type sink interface {
	Add(ps []pair)
	Names(ns []string)
	Query(q *query)
	Any(v any)
	Reset(q *query)
}

func overlay(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func cast(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

func (q *query) parse(b []byte) {
	for len(b) > 3 {
		q.pairs = append(q.pairs, pair{overlay(b[:1]), overlay(b[1:2])})
		b = b[3:]
	}
}

func labelsOfPut(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	raw := append((*buf)[:0], src...)
	var q query
	q.parse(raw)
	textBufs.Put(buf)
	s.Add(q.pairs) // want `buf is passed to Add after it was put`
}

func labelsBeforePut(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	raw := append((*buf)[:0], src...)
	var q query
	q.parse(raw)
	s.Add(q.pairs)
	textBufs.Put(buf)
}

func namesOfPut(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	var names []string
	names = append(names, cast((*buf)[:2]))
	textBufs.Put(buf)
	s.Names(names) // want `buf is passed to Names after it was put`
}

func namesCopied(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	var names []string
	names = append(names, strings.Clone(cast((*buf)[:2])), string((*buf)[2:]))
	textBufs.Put(buf)
	s.Names(names)
}

func pointerToPut(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	q := &query{first: &pair{key: overlay((*buf)[:2])}}
	textBufs.Put(buf)
	s.Query(q) // want `buf is passed to Query after it was put`
}

func boxOfPut(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	q := query{byKey: map[string]string{}}
	q.byKey["x"] = overlay((*buf)[:2])
	textBufs.Put(buf)
	s.Any(q.byKey) // want `buf is passed to Any after it was put`
}

func emptiedBefore(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	q := &query{first: &pair{key: overlay((*buf)[:2])}}
	textBufs.Put(buf)
	*q = query{}
	s.Query(q)
}

func emptiedAfter(s sink, src []byte) {
	buf := textBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	q := &query{first: &pair{key: overlay((*buf)[:2])}}
	s.Query(q)
	textBufs.Put(buf)
	s.Reset(q)
}

// Each turn begins with no pairs.
func turns(s sink, srcs [][]byte) {
	var ps []pair
	for _, src := range srcs {
		buf := textBufs.Get().(*[]byte)
		*buf = append((*buf)[:0], src...)
		ps = append(ps[:0], pair{key: overlay((*buf)[:1])})
		s.Add(ps)
		textBufs.Put(buf)
	}
}

func turnsOfField(s sink, q *query, srcs [][]byte) {
	for _, src := range srcs {
		buf := textBufs.Get().(*[]byte)
		*buf = append((*buf)[:0], src...)
		q.pairs = q.pairs[:0]
		q.pairs = append(q.pairs, pair{key: overlay((*buf)[:1])})
		s.Add(q.pairs)
		textBufs.Put(buf)
	}
	q.pairs = q.pairs[:0]
}

// The pairs of all turns are kept.
func turnsKept(s sink, srcs [][]byte) {
	var ps []pair
	for _, src := range srcs {
		buf := textBufs.Get().(*[]byte)
		*buf = append((*buf)[:0], src...)
		ps = append(ps, pair{key: overlay((*buf)[:1])})
		textBufs.Put(buf)
	}
	s.Add(ps) // want `buf is passed to Add after it was put`
}

type codecOf[T any] struct{ free *sync.Pool }

func (c *codecOf[T]) take() *[]byte  { return c.free.Get().(*[]byte) }
func (c *codecOf[T]) give(b *[]byte) { c.free.Put(b) }

type server struct {
	codec codecOf[pair]
	next  sink
}

func (s *server) handle(src []byte) error {
	buf := s.codec.take()
	*buf = append((*buf)[:0], src...)
	q := new(query)
	q.parse(*buf)
	s.codec.give(buf)
	return s.pass(q) // want `buf is passed to Query after it was put`
}

func (s *server) pass(q *query) error {
	s.next.Query(q)
	return nil
}

func (s *server) handleDeferred(src []byte) error {
	buf := s.codec.take()
	defer s.codec.give(buf)
	*buf = append((*buf)[:0], src...)
	q := new(query)
	q.parse(*buf)
	return s.pass(q)
}
