// Package anywrapped puts values of any type through one wrapper.
package anywrapped

import (
	"bytes"
	"strconv"
	"sync"
)

type bag[T any] struct {
	values sync.Pool
	clean  func(T)
}

func bagOf[T any](fresh func() T, clean func(T)) *bag[T] {
	b := &bag[T]{clean: clean}
	b.values.New = func() any { return fresh() }
	return b
}

func (b *bag[T]) take() T { return b.values.Get().(T) }

func (b *bag[T]) give(v T) {
	b.clean(v)
	b.values.Put(v) // want `texts keeps v, put at line 25, whatever its size`
}

var texts = bagOf(func() *bytes.Buffer { return new(bytes.Buffer) }, (*bytes.Buffer).Reset)

func quoted(list []string) string {
	t := texts.take()
	defer texts.give(t)
	for _, s := range list {
		t.WriteString(strconv.Quote(s))
	}
	return t.String()
}

// A struct of a fixed size.
type sums struct{ a, b int }

var pairs = bagOf(func() *sums { return new(sums) }, func(s *sums) { *s = sums{} })

func sum(list []int) int {
	s := pairs.take()
	defer pairs.give(s)
	for k, n := range list {
		if k%2 == 0 {
			s.a += n
		} else {
			s.b += n
		}
	}
	return s.a * s.b
}

// This wrapper asks whether a value is to be kept.
type shelf[T any] struct {
	values sync.Pool
	fits   func(T) bool
}

func shelfOf[T any](fresh func() T, fits func(T) bool) *shelf[T] {
	s := &shelf[T]{fits: fits}
	s.values.New = func() any { return fresh() }
	return s
}

func (s *shelf[T]) take() T { return s.values.Get().(T) }

func (s *shelf[T]) give(v T) {
	if s.fits(v) {
		s.values.Put(v)
	}
}

var pages = shelfOf(func() *bytes.Buffer { return new(bytes.Buffer) }, func(b *bytes.Buffer) bool {
	b.Reset()
	return b.Cap() <= 1<<16
})

func page(list []string) string {
	p := pages.take()
	defer pages.give(p)
	for _, s := range list {
		p.WriteString(s)
	}
	return p.String()
}

// What this one is cleaned with lets go of what is too large.
type drawer[T any] struct {
	values sync.Pool
	clean  func(T)
}

func drawerOf[T any](fresh func() T, clean func(T)) *drawer[T] {
	d := &drawer[T]{clean: clean}
	d.values.New = func() any { return fresh() }
	return d
}

func (d *drawer[T]) take() T { return d.values.Get().(T) }

func (d *drawer[T]) give(v T) {
	d.clean(v)
	d.values.Put(v)
}

type text struct{ b []byte }

var drafts = drawerOf(func() *text { return new(text) }, func(t *text) {
	if cap(t.b) > 1<<16 {
		t.b = nil
	}
	t.b = t.b[:0]
})

func draft(list []string) int {
	d := drafts.take()
	defer drafts.give(d)
	for _, s := range list {
		d.b = append(d.b, s...)
	}
	return len(d.b)
}

type note struct{ b []byte }

var notes = drawerOf(func() *note { return new(note) }, func(n *note) { n.b = n.b[:0] })

func noted(list []string) int {
	n := notes.take()
	defer notes.give(n)
	for _, s := range list {
		n.b = append(n.b, s...)
	}
	return len(n.b)
}
