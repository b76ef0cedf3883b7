// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"sync"

	"github.com/spare-go/spare"
)

// sliceAppend takes a slice without knowing how large it must become, appends
// the n numbers from first on, lends it to use and returns what use returns. The
// slice is valid only during that call.
//
// The call makes the slice escape. One that stays within its function needs no
// pool while it is small: the compiler keeps the first 32 bytes of an append
// on the stack.
type sliceAppend func(n, first int, use func([]int) int) int

func sliceAppendNaive(n, first int, use func([]int) int) int {
	var s []int
	for i := range n {
		s = append(s, first+i)
	}
	return use(s)
}

var intHeaders = sync.Pool{New: func() any { return new([]int) }}

func sliceAppendSyncPool(n, first int, use func([]int) int) int {
	p := intHeaders.Get().(*[]int)
	s := (*p)[:0]
	for i := range n {
		s = append(s, first+i)
	}
	sum := use(s)
	if cap(s)*8 <= maxPooled {
		*p = s // the pool must learn of the array that grew
		intHeaders.Put(p)
	}
	return sum
}

var intSlices spare.Slices[int]

// Get(0) foresees the usual size. A slice that outgrows it is grown by append, as
// in plain code, and the smaller arrays are left to the collector; Grow in place
// of append would put them back.
func sliceAppendSpare(n, first int, use func([]int) int) int {
	s := intSlices.Get(0)
	for i := range n {
		s = append(s, first+i)
	}
	sum := use(s)
	intSlices.Put(s)
	return sum
}
