package asksempty

import (
	"bytes"
	"sort"
	"sync"
)

// The capacity, or the length before the reset.

var kept = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func encode(s string, out func([]byte)) {
	b := kept.Get().(*bytes.Buffer)
	b.WriteString(s)
	out(b.Bytes())
	b.Reset()
	if b.Cap() < limit {
		kept.Put(b)
	}
}

var others = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func decode(s string, out func([]byte)) {
	b := others.Get().(*bytes.Buffer)
	b.WriteString(s)
	out(b.Bytes())
	n := b.Len()
	b.Reset()
	if n > limit {
		return
	}
	others.Put(b)
}

// Written to since it was reset.

var third = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func twice(s, t string, out func([]byte)) {
	b := third.Get().(*bytes.Buffer)
	b.WriteString(s)
	out(b.Bytes())
	b.Reset()
	b.WriteString(t)
	if b.Len() < limit {
		out(b.Bytes())
		b.Reset()
		third.Put(b)
	}
}

// Out of view it is decided whether the capacity is too much.

type limits interface{ Keeps(size int) bool }

var fourth = sync.Pool{New: func() any { return new([]byte) }}

func joined(l limits, parts []string, out func([]byte)) {
	b := fourth.Get().(*[]byte)
	for _, p := range parts {
		*b = append(*b, p...)
	}
	out(*b)
	if !l.Keeps(cap(*b)) {
		return
	}
	*b = (*b)[:0]
	fourth.Put(b)
}

// What is bounded is copied within the struct.

type sampled struct{ all, sorted []float64 }

var samples = sync.Pool{New: func() any { return new(sampled) }}

func (s *sampled) add(v float64) {
	if len(s.all) < 1000 {
		s.all = append(s.all, v)
	}
}

func (s *sampled) median() float64 {
	s.sorted = append(s.sorted[:0], s.all...)
	sort.Float64s(s.sorted)
	return s.sorted[len(s.sorted)/2]
}

func first(v float64) float64 {
	s := samples.Get().(*sampled)
	s.all = s.all[:0]
	s.add(v)
	m := s.median()
	samples.Put(s)
	return m
}
