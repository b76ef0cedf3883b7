// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"slices"
	"sync"

	"github.com/spare-go/spare"
)

// replicate lends a slice of n copies of s to use and returns what use returns.
// The slice is valid only during that call.
type replicate func(s string, n int, use func([]string) int) int

func replicateNaive(s string, n int, use func([]string) int) int {
	out := make([]string, 0, n)
	for range n {
		out = append(out, s)
	}
	return use(out)
}

var stringHeaders = sync.Pool{New: func() any { return new([]string) }}

func replicateSyncPool(s string, n int, use func([]string) int) int {
	p := stringHeaders.Get().(*[]string)
	out := slices.Grow((*p)[:0], n)
	for range n {
		out = append(out, s)
	}
	sum := use(out)
	if cap(out)*16 <= maxPooled {
		clear(out) // or the idle slice keeps the strings alive
		*p = out   // the pool must learn of the array that grew
		stringHeaders.Put(p)
	}
	return sum
}

var stringSlices spare.Slices[string]

func replicateSpare(s string, n int, use func([]string) int) int {
	out := stringSlices.Get(n)
	for range n {
		out = append(out, s)
	}
	sum := use(out)
	stringSlices.Put(out)
	return sum
}
