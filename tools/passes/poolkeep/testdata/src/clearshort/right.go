package clearshort

import (
	"slices"
	"sync"
)

// Cleared to its capacity.

type set struct{ list []*row }

var sets = sync.Pool{New: func() any { return new(set) }}

func count(all []*row, ok func(*row) bool) int {
	s := sets.Get().(*set)
	s.list = append(s.list, all...)
	keep := s.list[:0]
	for _, x := range s.list {
		if ok(x) {
			keep = append(keep, x)
		}
	}
	s.list = keep
	n := len(s.list)
	s.list = s.list[:cap(s.list)]
	clear(s.list)
	s.list = s.list[:0]
	sets.Put(s)
	return n
}

// The rest is cleared where the slice is shortened.

type group struct{ list []*row }

var groups = sync.Pool{New: func() any { return new(group) }}

func (g *group) filter(ok func(*row) bool) {
	keep := g.list[:0]
	for _, x := range g.list {
		if ok(x) {
			keep = append(keep, x)
		}
	}
	clear(g.list[len(keep):])
	g.list = keep
}

func total(all []*row, ok func(*row) bool) int {
	g := groups.Get().(*group)
	g.list = append(g.list, all...)
	g.filter(ok)
	n := len(g.list)
	clear(g.list)
	g.list = g.list[:0]
	groups.Put(g)
	return n
}

// Package slices clears what it takes out.

type few struct{ list []*row }

var fews = sync.Pool{New: func() any { return new(few) }}

func some(all []*row, no func(*row) bool) int {
	f := fews.Get().(*few)
	f.list = append(f.list, all...)
	f.list = slices.DeleteFunc(f.list, no)
	n := len(f.list)
	clear(f.list)
	f.list = f.list[:0]
	fews.Put(f)
	return n
}

// Numbers keep nothing alive.

type nums struct{ list []int }

var numbers = sync.Pool{New: func() any { return new(nums) }}

func positive(all []int) int {
	s := numbers.Get().(*nums)
	s.list = append(s.list, all...)
	keep := s.list[:0]
	for _, x := range s.list {
		if x > 0 {
			keep = append(keep, x)
		}
	}
	s.list = keep
	n := len(s.list)
	clear(s.list)
	s.list = s.list[:0]
	numbers.Put(s) // want `numbers keeps s, put at line 96, whatever its size`
	return n
}

// Another slice is filtered.

type pair struct{ in, out []*row }

var pairs = sync.Pool{New: func() any { return new(pair) }}

func split(all []*row, ok func(*row) bool) int {
	p := pairs.Get().(*pair)
	p.in = append(p.in, all...)
	for _, x := range p.in {
		if ok(x) {
			p.out = append(p.out, x)
		}
	}
	n := len(p.out)
	clear(p.in)
	clear(p.out)
	p.in, p.out = p.in[:0], p.out[:0]
	pairs.Put(p)
	return n
}
