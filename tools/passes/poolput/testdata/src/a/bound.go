package a

import (
	"strconv"

	"github.com/spare-go/spare"
)

// stale-header: a deferred Put of a slice that grows

var ints spare.Slices[int]

func boundEarly(xs []int) int {
	s := ints.Get(0)
	defer ints.Put(s) // want `the deferred call puts the slice as it is here, but it is appended to later`
	for _, x := range xs {
		s = append(s, x)
	}
	return len(s)
}

func boundEarlyGuess(xs []int) int {
	s := ints.Get(16)
	defer ints.Put(s) // want `the deferred call puts the slice as it is here`
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
	defer names.give(s) // want `the deferred call puts the slice as it is here`
	s = append(s, xs...)
	return len(s)
}

func boundGenericLate(xs []string) int {
	s := names.take()
	defer func() { names.give(s) }()
	s = append(s, xs...)
	return len(s)
}
