// SPDX-License-Identifier: BSD-3-Clause

// Package sizeclass divides capacities into classes, four to each doubling:
// 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, ...
//
// A request takes the class at or above it, so that it is always satisfied; an
// array is filed under the class at or below its capacity, so that it never
// claims room that it lacks. A request of n wastes less than a quarter of n,
// about a tenth on average over sizes that spread over a doubling; powers of
// two waste up to n and 44 % on average.
//
// The steps are those of a floating-point number with a two-bit mantissa. The
// allocators of jemalloc and of FreeBSD's and Go's kernels use the same
// spacing for the same reason (Evans, "A Scalable Concurrent malloc(3)
// Implementation for FreeBSD", 2006).
package sizeclass

import "math/bits"

const (
	// Count is the number of classes.
	Count = 4*(maxLog-2) + 4

	// Max is the capacity of the largest class.
	Max = 1 << maxLog

	// A capacity of 2^30 fits an int of every platform. A slice with more
	// elements than that costs so much to fill that its allocation does not
	// show.
	maxLog = 30
)

// Ceil returns the smallest class whose capacity is n or more. n must be in
// [1, Max].
func Ceil(n int) int {
	if n <= 4 {
		return n - 1
	}
	// For n = 81: n-1 = 80 = 0b1010000, seven bits; the top three bits, 101,
	// say that it lies in the second quarter of [64, 128), so that the class
	// is the one above that quarter's start of 80: 96.
	m := uint(n - 1)
	s := uint(bits.Len(m)) - 3
	return int(s<<2 + m>>s)
}

// Floor returns the largest class whose capacity is n or less. n must be in
// [1, Max].
func Floor(n int) int {
	if n <= 4 {
		return n - 1
	}
	m := uint(n)
	s := uint(bits.Len(m)) - 3
	return int(s<<2+m>>s) - 1
}

// Size returns the capacity of a class, which must be in [0, Count).
func Size(class int) int {
	if class < 4 {
		return class + 1
	}
	// Class 4s+q, for q in [0, 4), holds (4+q+1) << s, where s counts from
	// zero: class 4 is 5, class 7 is 8, class 8 is 10.
	s := uint(class)>>2 - 1
	return (class&3 + 5) << s
}
