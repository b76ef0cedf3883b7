// SPDX-License-Identifier: BSD-3-Clause

// Package batches gathers elements in pooled slices.
package batches

import "sync"

const full = 512

var (
	batches = sync.Pool{New: func() any { return new([]uint64) }}
	lists   = sync.Pool{New: func() any { return new([]uint64) }}
)

// A batch is handed on as soon as it is full.
func split(in map[string][]uint64, work chan<- *[]uint64) {
	b := batches.Get().(*[]uint64)
	for _, l := range in {
		for _, x := range l {
			*b = append(*b, x)
			if len(*b) >= full {
				work <- b
				b = batches.Get().(*[]uint64)
			}
		}
	}
	work <- b
}

func worker(work <-chan *[]uint64, f func(uint64)) {
	for b := range work {
		for _, x := range *b {
			f(x)
		}
		*b = (*b)[:0]
		batches.Put(b)
	}
}

// A list has as many as there are.
func gather(in map[string][]uint64, f func([]uint64)) {
	b := lists.Get().(*[]uint64)
	for _, l := range in {
		for _, x := range l {
			*b = append(*b, x)
		}
	}
	f(*b)
	*b = (*b)[:0]
	lists.Put(b) // want `lists keeps b, put at line 50, whatever its size`
}
