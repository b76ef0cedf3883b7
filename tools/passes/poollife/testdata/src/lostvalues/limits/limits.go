// SPDX-License-Identifier: BSD-3-Clause

// Package limits says what is worth keeping.
package limits

// Largest is the capacity that is kept.
var Largest = 1 << 16

// Worth reports whether memory of a capacity is worth keeping.
func Worth(capacity int) bool { return capacity <= Largest }
