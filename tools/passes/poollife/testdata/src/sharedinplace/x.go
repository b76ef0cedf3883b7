// SPDX-License-Identifier: BSD-3-Clause

// Package sharedinplace has pooled slices whose elements share memory with others.
package sharedinplace

import "sync"

type shape struct {
	area  float64
	edges []int
}

type cursor struct {
	area  float64
	edges []int
}

// current fills a shape, or makes one that has the edges of the cursor.
func (c *cursor) current(s *shape) *shape {
	if s == nil {
		return &shape{c.area, c.edges}
	}
	s.area = c.area
	s.edges = append(s.edges[:0], c.edges...)
	return s
}

// Wrong: an element of a new slice is nil, so that it gets the edges of the cursor, which the next user fills.

type leaky []*shape

var leakies = sync.Pool{New: func() any { s := make(leaky, 0, 8); return &s }}

func areas(cs []*cursor) (sum float64) {
	p := leakies.Get().(*leaky)
	list := *p
	for _, c := range cs {
		n := len(list)
		if n < cap(list) {
			list = list[:n+1]
		} else {
			list = append(list, nil)
		}
		list[n] = c.current(list[n]) // want `an element of a slice that goes to a pool`
		sum += list[n].area
	}
	*p = list[:0]
	leakies.Put(p)
	return sum
}

// Wrong: the same with a struct that has the shape.

type mark struct {
	at    int
	shape *shape
}

var marks sync.Pool

func markList() []mark {
	if p, ok := marks.Get().(*[]mark); ok {
		return *p
	}
	return make([]mark, 0, 8)
}

func next(list []mark, c *cursor) []mark {
	n := len(list)
	if n < cap(list) {
		list = list[:n+1]
	} else {
		list = append(list, mark{shape: new(shape)})
	}
	m := &list[n]
	m.at = n
	m.shape = c.current(m.shape) // want `field shape of an element that goes to a pool`
	return list
}

func marked(cs []*cursor) (sum float64) {
	list := markList()
	for _, c := range cs {
		list = next(list, c)
		sum += list[len(list)-1].shape.area
	}
	list = list[:0]
	marks.Put(&list)
	return sum
}

// Right: the element has a shape of its own before.

type ownMark struct {
	at    int
	shape *shape
}

var ownMarks sync.Pool

func ownMarkList() []ownMark {
	if p, ok := ownMarks.Get().(*[]ownMark); ok {
		return *p
	}
	return make([]ownMark, 0, 8)
}

func nextOwn(list []ownMark, c *cursor) []ownMark {
	n := len(list)
	if n < cap(list) {
		list = list[:n+1]
		if list[n].shape == nil {
			list[n].shape = new(shape)
		}
	} else {
		list = append(list, ownMark{shape: new(shape)})
	}
	m := &list[n]
	m.at = n
	m.shape = c.current(m.shape)
	return list
}

func markedOwn(cs []*cursor) (sum float64) {
	list := ownMarkList()
	for _, c := range cs {
		list = nextOwn(list, c)
		sum += list[len(list)-1].shape.area
	}
	list = list[:0]
	ownMarks.Put(&list)
	return sum
}

// Right: the elements are cleared, so that what is shared is never filled.

type clearedMark struct {
	at    int
	shape *shape
}

var clearedMarks sync.Pool

func clearedList() []clearedMark {
	if p, ok := clearedMarks.Get().(*[]clearedMark); ok {
		return *p
	}
	return make([]clearedMark, 0, 8)
}

func markedCleared(cs []*cursor) (sum float64) {
	list := clearedList()
	for n, c := range cs {
		if n < cap(list) {
			list = list[:n+1]
		} else {
			list = append(list, clearedMark{})
		}
		list[n].shape = c.current(list[n].shape)
		sum += list[n].shape.area
	}
	clear(list)
	list = list[:0]
	clearedMarks.Put(&list)
	return sum
}

// Right: what is new has edges of its own.

type copier struct {
	area  float64
	edges []int
}

func (c *copier) current(s *shape) *shape {
	if s == nil {
		return &shape{c.area, append([]int(nil), c.edges...)}
	}
	s.area = c.area
	s.edges = append(s.edges[:0], c.edges...)
	return s
}

type copied struct{ shape *shape }

var copieds sync.Pool

func copiedList() []copied {
	if p, ok := copieds.Get().(*[]copied); ok {
		return *p
	}
	return make([]copied, 0, 8)
}

func markedCopied(cs []*copier) (sum float64) {
	list := copiedList()
	for n, c := range cs {
		if n < cap(list) {
			list = list[:n+1]
		} else {
			list = append(list, copied{})
		}
		list[n].shape = c.current(list[n].shape)
		sum += list[n].shape.area
	}
	list = list[:0]
	copieds.Put(&list)
	return sum
}

// Nothing is said where the slice is no pool's: each element is filled from one cursor only.

func notPut(cs []*cursor) (sum float64) {
	list := make([]struct{ shape *shape }, len(cs))
	for range 2 {
		for n, c := range cs {
			list[n].shape = c.current(list[n].shape)
			sum += list[n].shape.area
		}
	}
	return sum
}
