// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

// Package race tells the race detector what the pools know: which Put happens
// before which Get, and that a value is nobody's in between. Without -race
// every function is empty and inlined away.
package race

import "unsafe"

// Enabled reports whether the race detector is compiled in.
const Enabled = false

// ReleaseMerge makes everything that this goroutine did so far happen before a
// later Acquire of addr, beside what earlier calls for addr released.
func ReleaseMerge(addr unsafe.Pointer) {}

// Acquire makes what ReleaseMerge released on addr happen before what follows.
func Acquire(addr unsafe.Pointer) {}

// WriteRange marks n bytes from addr as written by this goroutine, so that an
// access by another goroutine that is not ordered with it is reported.
func WriteRange(addr unsafe.Pointer, n int) {}

// Disable hides the synchronization that follows on this goroutine from the
// detector, until Enable: the locks of an engine order nothing for its users.
func Disable() {}

// Enable ends what Disable began.
func Enable() {}
