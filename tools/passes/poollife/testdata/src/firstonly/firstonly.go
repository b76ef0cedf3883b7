// SPDX-License-Identifier: BSD-3-Clause

package firstonly

import (
	"bytes"
	"sync"
)

// Lists of pooled values of which a function makes one.

type sheaf struct {
	stalks []int
	weight int
}

var sheaves = sync.Pool{New: func() any { return new(sheaf) }}

func putSheaf(s *sheaf) {
	s.stalks = s.stalks[:0]
	s.weight = 0
	sheaves.Put(s)
}

func getSheaf(stalks []int) *sheaf {
	s := sheaves.Get().(*sheaf)
	s.stalks = append(s.stalks[:0], stalks[:min(len(stalks), 100)]...)
	return s
}

// A binder makes one sheaf of several.
type binder struct {
	most  int
	count func(int)
}

// Wrong: where all are too heavy together, nobody has the others any more.
func (b *binder) bind(list []*sheaf) (*sheaf, error) {
	if len(list) == 1 {
		return list[0], nil
	}
	sum := 0
	for _, s := range list {
		sum += s.weight
	}
	if sum > b.most {
		for _, left := range list[1:] {
			b.count(left.weight)
		}
		return list[0], nil // want `the first of list is returned here, and the others are lost: on another way they are put \(line 57\)`
	}
	out := sheaves.Get().(*sheaf)
	out.stalks = out.stalks[:0]
	out.weight = 0
	for _, s := range list {
		out.weight += s.weight
		putSheaf(s)
	}
	return out, nil
}

func (b *binder) reap(fields [][]int) (int, error) {
	var list []*sheaf
	for _, f := range fields {
		list = append(list, getSheaf(f))
	}
	s, err := b.bind(list)
	if err != nil {
		return 0, err
	}
	defer putSheaf(s)
	return s.weight, nil
}

// Right: the others are put.
func (b *binder) bindRight(list []*sheaf) (*sheaf, error) {
	if len(list) < 2 {
		return list[0], nil
	}
	sum := 0
	for _, s := range list {
		sum += s.weight
	}
	if sum > b.most {
		for _, left := range list[1:] {
			b.count(left.weight)
			putSheaf(left)
		}
		return list[0], nil
	}
	out := sheaves.Get().(*sheaf)
	out.stalks = out.stalks[:0]
	out.weight = 0
	for _, s := range list {
		out.weight += s.weight
		putSheaf(s)
	}
	return out, nil
}

func (b *binder) reapRight(fields [][]int) int {
	var list []*sheaf
	for _, f := range fields {
		list = append(list, getSheaf(f))
	}
	s, _ := b.bindRight(list)
	defer putSheaf(s)
	return s.weight
}

// Right: the test of the length comes after the sum.
func (b *binder) bindOne(list []*sheaf) *sheaf {
	sum := 0
	for _, s := range list {
		sum += s.weight
	}
	if 2 > len(list) {
		b.count(sum)
		return list[0]
	}
	out := sheaves.Get().(*sheaf)
	out.stalks = out.stalks[:0]
	out.weight = sum
	for _, s := range list {
		putSheaf(s)
	}
	return out
}

func (b *binder) reapOne(fields [][]int) int {
	var list []*sheaf
	for _, f := range fields {
		list = append(list, getSheaf(f))
	}
	s := b.bindOne(list)
	defer putSheaf(s)
	return s.weight
}

// Right: the caller is told that it still has them.
func (b *binder) bindTold(list []*sheaf) (*sheaf, bool) {
	sum := 0
	for _, s := range list {
		sum += s.weight
	}
	if sum > b.most {
		return list[0], false
	}
	out := sheaves.Get().(*sheaf)
	out.stalks = out.stalks[:0]
	out.weight = sum
	for _, s := range list {
		putSheaf(s)
	}
	return out, true
}

func (b *binder) reapTold(fields [][]int) int {
	var list []*sheaf
	for _, f := range fields {
		list = append(list, getSheaf(f))
	}
	s, bound := b.bindTold(list)
	if !bound {
		for _, s := range list[1:] {
			putSheaf(s)
		}
	}
	defer putSheaf(s)
	return s.weight
}

// Right: the caller looks at the list again.
func (b *binder) heaviest(list []*sheaf) *sheaf {
	sum := 0
	for _, s := range list {
		sum += s.weight
	}
	if sum > b.most {
		return list[0]
	}
	for _, s := range list[1:] {
		putSheaf(s)
	}
	list[0].weight = sum
	clear(list[1:])
	return list[0]
}

func (b *binder) reapHeaviest(fields [][]int) int {
	var list []*sheaf
	for _, f := range fields {
		list = append(list, getSheaf(f))
	}
	b.heaviest(list)
	sum := 0
	for _, s := range list {
		if s != nil {
			sum += s.weight
			putSheaf(s)
		}
	}
	return sum
}

// Right: the others are somebody else's from there on.
func (b *binder) bindSent(list []*sheaf, rest chan<- *sheaf) *sheaf {
	sum := 0
	for _, s := range list {
		sum += s.weight
	}
	if sum > b.most {
		for _, s := range list[1:] {
			rest <- s
		}
		return list[0]
	}
	for _, s := range list[1:] {
		putSheaf(s)
	}
	list[0].weight = sum
	return list[0]
}

func (b *binder) reapSent(fields [][]int, rest chan<- *sheaf) int {
	var list []*sheaf
	for _, f := range fields {
		list = append(list, getSheaf(f))
	}
	s := b.bindSent(list, rest)
	defer putSheaf(s)
	return s.weight
}

// Functions in a field that are given the list.

type page struct{ text bytes.Buffer }

var pages = sync.Pool{New: func() any { return new(page) }}

type merger[T any] struct {
	next  []func() (T, bool)
	merge func([]T) T
}

func (m *merger[T]) all() (T, bool) {
	list := make([]T, 0, len(m.next))
	for _, f := range m.next {
		if v, ok := f(); ok {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		var none T
		return none, false
	}
	return m.merge(list), true
}

// Wrong: pages that are the same are dropped but for one.
func newPages(next []func() (*page, bool)) *merger[*page] {
	return &merger[*page]{next, func(list []*page) *page {
		same := true
		for k := 1; k < len(list); k++ {
			same = same && bytes.Equal(list[k].text.Bytes(), list[0].text.Bytes())
		}
		if same {
			return list[0] // want `the first of list is returned here, and the others are lost: on another way they are put \(line \d+\)`
		}
		first := list[0]
		for _, p := range list[1:] {
			first.text.Write(p.text.Bytes())
			p.text.Reset()
			pages.Put(p)
		}
		return first
	}}
}

// Right: there they are put.
func newPagesRight(next []func() (*page, bool)) *merger[*page] {
	return &merger[*page]{next, func(list []*page) *page {
		same := true
		for k := 1; k < len(list); k++ {
			same = same && bytes.Equal(list[k].text.Bytes(), list[0].text.Bytes())
		}
		first := list[0]
		for _, p := range list[1:] {
			if !same {
				first.text.Write(p.text.Bytes())
			}
			p.text.Reset()
			pages.Put(p)
		}
		return first
	}}
}
