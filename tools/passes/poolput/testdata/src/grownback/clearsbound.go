// SPDX-License-Identifier: BSD-3-Clause

package grownback

import "sync"

// A list is cleared by its length when it is given back.

type parcel struct {
	to      string
	weights []int
}

type shelf[T any] struct{ p sync.Pool }

func (s *shelf[T]) take(n int) []T {
	if v, ok := s.p.Get().(*[]T); ok && cap(*v) >= n {
		return (*v)[:0]
	}
	return make([]T, 0, n)
}

func (s *shelf[T]) give(v []T) {
	clear(v)
	v = v[:0]
	s.p.Put(&v) // want `local variable`
}

// giveWhole clears what stands behind the length as well.
func (s *shelf[T]) giveWhole(v []T) {
	v = v[:cap(v)]
	clear(v)
	v = v[:0]
	s.p.Put(&v) // want `local variable`
}

var (
	parcels shelf[*parcel]
	weights shelf[int]
)

func byAddress(in []parcel, out []*parcel) []*parcel {
	for i := range in {
		if n := len(out); n == 0 || out[n-1].to != in[i].to {
			out = append(out, &parcel{to: in[i].to})
		}
		last := out[len(out)-1]
		last.weights = append(last.weights, in[i].weights...)
	}
	return out
}

// Wrong: what byAddress appended is not cleared.
func ship(in []parcel, send func([]*parcel) error) error {
	list := parcels.take(len(in))
	defer parcels.give(list) // want `the deferred call puts list as it is here, with no elements: what is appended later \(line \d+\) is not cleared`
	list = byAddress(in, list)
	return send(list)
}

// Wrong: the same without another function.
func shipHeavy(in []parcel, send func([]*parcel) error) error {
	list := parcels.take(len(in))
	defer parcels.give(list) // want `the deferred call puts list as it is here, with no elements`
	for i := range in {
		if len(in[i].weights) > 10 {
			list = append(list, &in[i])
		}
	}
	return send(list)
}

func shipLate(in []parcel, send func([]*parcel) error) error { // right
	list := parcels.take(len(in))
	defer func() { parcels.give(list) }()
	list = byAddress(in, list)
	return send(list)
}

func shipWhole(in []parcel, send func([]*parcel) error) error { // right: cleared to its capacity
	list := parcels.take(len(in))
	defer parcels.giveWhole(list)
	list = byAddress(in, list)
	return send(list)
}

func total(in []parcel) (sum int) { // right: numbers lead nowhere, and there is room for them
	list := weights.take(len(in))
	defer weights.give(list)
	for i := range in {
		list = append(list, len(in[i].weights))
	}
	for _, n := range list {
		sum += n
	}
	return sum
}
