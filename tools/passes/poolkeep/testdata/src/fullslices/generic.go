// SPDX-License-Identifier: BSD-3-Clause

package fullslices

import (
	"sync"
	"unsafe"
)

// Slices that generic functions put.

type setting interface{ set(map[string]string) }

type label struct {
	name  string
	value any
}

var (
	settingLists = sync.Pool{New: func() any { s := make([]setting, 0, 4); return &s }}
	labelLists   = sync.Pool{New: func() any { s := make([]label, 0, 4); return &s }}
)

func listOf[T any](p *sync.Pool) *[]T { return p.Get().(*[]T) }

// Right: it clears slices of whatever it is used for.
func doneWith[T any](p *sync.Pool, s *[]T) {
	if cap(*s) > 64 {
		return
	}
	clear(*s)
	*s = (*s)[:0]
	p.Put(s)
}

func withSettings(set setting, use func(...setting)) {
	s := listOf[setting](&settingLists)
	defer doneWith(&settingLists, s)
	*s = append(*s, set)
	use(*s...)
}

// Wrong: this one does not.
func cutOnly[T any](p *sync.Pool, s *[]T) {
	if cap(*s) > 64 {
		return
	}
	*s = (*s)[:0]
	p.Put(s) // want `\*s is cut to length 0 \(line 48\) but not cleared`
}

func withLabels(l label, use func([]label)) {
	s := listOf[label](&labelLists)
	defer cutOnly(&labelLists, s)
	*s = append(*s, l)
	use(*s)
}

// Pointers that the compiler does not know the type of keep things alive as well.

type walk struct {
	at   []uintptr
	refs []unsafe.Pointer
}

var walks = sync.Pool{New: func() any { return &walk{refs: make([]unsafe.Pointer, 0, 8)} }}

func walkFrom(ps []unsafe.Pointer, step func(unsafe.Pointer)) {
	w := walks.Get().(*walk)
	w.refs = w.refs[:0]
	for _, p := range ps {
		w.refs = append(w.refs, p)
		step(p)
	}
	walks.Put(w) // want `walks keeps w, put at line 75, whatever its size` `still leads to what the last user appended to refs`
}

type ref unsafe.Pointer

type shortWalk struct{ refs []ref }

var shortWalks = sync.Pool{New: func() any { return &shortWalk{refs: make([]ref, 0, 8)} }}

// Right: they are cleared.
func shortWalkFrom(ps []*int, step func(unsafe.Pointer)) {
	w := shortWalks.Get().(*shortWalk)
	for _, p := range ps {
		w.refs = append(w.refs, ref(p))
		step(unsafe.Pointer(p))
	}
	clear(w.refs)
	w.refs = w.refs[:0]
	if cap(w.refs) <= 64 {
		shortWalks.Put(w)
	}
}

// What a wrapper is used for has no pointers.

type scores[T any] struct {
	pool sync.Pool
	most int
}

func (s *scores[T]) take() *[]T {
	if p, ok := s.pool.Get().(*[]T); ok {
		return p
	}
	return new([]T)
}

func (s *scores[T]) give(p *[]T) {
	if cap(*p) > s.most {
		return
	}
	*p = (*p)[:0]
	s.pool.Put(p)
}

type scored struct {
	score float64
	at    int
}

var ranks = scores[scored]{most: 1024}

// Right: numbers keep nothing alive.
func best(names []string, score func(string) float64) string {
	list := ranks.take()
	defer ranks.give(list)
	for k, n := range names {
		*list = append(*list, scored{score(n), k})
	}
	top := scored{}
	for _, x := range *list {
		if x.score > top.score {
			top = x
		}
	}
	return names[top.at]
}
