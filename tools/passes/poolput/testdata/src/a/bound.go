package a

import (
	"math/bits"
	"strconv"
	"sync"

	"github.com/spare-go/spare"
)

// stale-header: a deferred Put of a slice that grows

var ints spare.Slices[int]

func boundEarly(xs []int) int {
	s := ints.Get(0)
	defer ints.Put(s) // want `the deferred call puts s as it is here, but it is appended to later`
	for _, x := range xs {
		s = append(s, x)
	}
	return len(s)
}

func boundEarlyGuess(xs []int) int {
	s := ints.Get(16)
	defer ints.Put(s) // want `the deferred call puts s as it is here`
	s = append(s, xs...)
	return len(s)
}

func boundAtExit(xs []int) int {
	s := ints.Get(0)
	defer func() { ints.Put(s) }()
	s = append(s, xs...)
	return len(s)
}

// There is room for all of them.
func boundEnough(xs []int) int {
	s := ints.Get(len(xs))
	defer ints.Put(s)
	s = append(s, xs...)
	return len(s)
}

var digits spare.Slices[byte]

// A number has twenty digits at most.
func boundShort(n int64) string {
	s := digits.Get(40)
	defer digits.Put(s)
	s = strconv.AppendInt(s, n, 10)
	return string(s)
}

type arena[E any] struct{ free spare.Slices[E] }

func (a *arena[E]) take() []E  { return a.free.Get(0) }
func (a *arena[E]) give(s []E) { a.free.Put(s) }

var names arena[string]

func boundGeneric(xs []string) int {
	s := names.take()
	defer names.give(s) // want `the deferred call puts s as it is here`
	s = append(s, xs...)
	return len(s)
}

func boundGenericLate(xs []string) int {
	s := names.take()
	defer func() { names.give(s) }()
	s = append(s, xs...)
	return len(s)
}

// The pool's one list has slices of all sizes, and nobody asks how large one is.

type anyInts struct{ free sync.Pool }

func (p *anyInts) get(n int) []int {
	if v, ok := p.free.Get().(*[]int); ok {
		return (*v)[:0]
	}
	return make([]int, 0, n)
}

func (p *anyInts) give(s []int) {
	s = s[:0]
	p.free.Put(&s) // want `the address of the local variable s is put in free`
}

var somes anyInts

func boundAny(m map[string]int) int {
	s := somes.get(len(m))
	defer somes.give(s) // want `the deferred call puts s as it is here, but it is appended to later`
	for _, n := range m {
		s = append(s, n)
	}
	return len(s)
}

// Here they ask.

type enoughInts struct{ free sync.Pool }

func (p *enoughInts) get(n int) []int {
	if v, ok := p.free.Get().(*[]int); ok && cap(*v) >= n {
		return (*v)[:0]
	}
	return make([]int, 0, n)
}

func (p *enoughInts) give(s []int) {
	s = s[:0]
	p.free.Put(&s) // want `the address of the local variable s is put in free`
}

var enoughs enoughInts

func boundAsked(m map[string]int) int {
	s := enoughs.get(len(m))
	defer enoughs.give(s)
	for _, n := range m {
		s = append(s, n)
	}
	return len(s)
}

// Here the size picks the list.

type sizedInts struct{ free [32]sync.Pool }

func (p *sizedInts) get(n int) []int {
	k := bits.Len(uint(n))
	if v, ok := p.free[k].Get().(*[]int); ok {
		return (*v)[:0]
	}
	return make([]int, 0, 1<<k)
}

func (p *sizedInts) give(s []int) {
	if k := bits.Len(uint(cap(s))) - 1; k >= 0 {
		p.free[k].Put(&s) // want `the address of the local variable s is put in free`
	}
}

var byLen sizedInts

func boundSized(m map[string]int) int {
	s := byLen.get(len(m))
	defer byLen.give(s)
	for _, n := range m {
		s = append(s, n)
	}
	return len(s)
}
