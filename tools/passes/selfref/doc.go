// SPDX-License-Identifier: BSD-3-Clause

// Package selfref reports structs that keep a slice of their own array field.
// Such a struct points into itself: it cannot stay on the stack once a
// pointer method appends to the slice, and a copy shares the array of the original.
// Structs that do so on first use are reported, and those that are made so for a
// pool; not those of other constructors, nor structs with a lock: those live on
// the heap and are never copied, for reasons of their own.
package selfref
