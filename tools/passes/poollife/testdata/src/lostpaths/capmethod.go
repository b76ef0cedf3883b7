// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import "sync"

// A method tells what there is room for.

type vessel interface {
	Capacity() int
	Grown() bool
	Empty()
	Cut(n int)
}

type vessels[T vessel] struct {
	p    sync.Pool
	make func(n int) T
}

func newVessels[T vessel](make func(n int) T) *vessels[T] {
	v := &vessels[T]{make: make}
	v.p.New = func() any { return make(0) }
	return v
}

func (v *vessels[T]) take(length, n int) T { // right: dropped for its size
	s := v.p.Get().(T)
	if s.Capacity() < n {
		s = v.make(n)
	}
	s.Cut(length)
	return s
}

// Wrong: dropped for another reason.
func (v *vessels[T]) takeOther(length, n int) T {
	s := v.p.Get().(T) // want `s, taken from p at line \d+, is not put back`
	if !s.Grown() {
		s = v.make(n)
	}
	s.Cut(length)
	return s
}

func (v *vessels[T]) give(s T) {
	s.Empty()
	v.p.Put(s)
}
