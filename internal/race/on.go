// SPDX-License-Identifier: BSD-3-Clause

//go:build race

// Package race tells the race detector what the pools know: which Put happens
// before which Get, and that a value is nobody's in between. Without -race
// every function is empty and inlined away.
//
// # What is marked as written
//
// A Put marks memory as written, so that a use by another goroutine that is not ordered with it is
// a race even if nobody gets the memory again. That is true of the arrays of Slices
// and Buffers. It is not true of every value: one that owns a goroutine is read by it at any time, and
// to the detector that goroutine looks like a user that was forgotten. No other mark would do, neither
// a later one nor one as read: the goroutine may also write, under a mutex of the value or with atomics,
// and goes on when the next user has the value.
//
// So a Pool marks a value only if it is its users' alone: there is no Drop, which would stop a
// goroutine, and neither its type nor what that points to has anything that goroutines
// could synchronize by. The type sharing of the root package decides it. Of other values
// the detector sees what really happens to them, which is the less loss: a stale user is
// reported when it meets a write of Reset or of the next user. A stale
// read of something that nobody writes any more is missed.
package race

import (
	"runtime"
	"unsafe"
)

// Enabled reports whether the race detector is compiled in.
const Enabled = true

// ReleaseMerge makes everything that this goroutine did so far happen before a
// later Acquire of addr, beside what earlier calls for addr released.
func ReleaseMerge(addr unsafe.Pointer) { runtime.RaceReleaseMerge(addr) }

// Acquire makes what ReleaseMerge released on addr happen before what follows.
func Acquire(addr unsafe.Pointer) { runtime.RaceAcquire(addr) }

// WriteRange marks n bytes from addr as written by this goroutine, so that an
// access by another goroutine that is not ordered with it is reported.
func WriteRange(addr unsafe.Pointer, n int) { runtime.RaceWriteRange(addr, n) }

// Disable hides the synchronization that follows on this goroutine from the
// detector, until Enable: the locks of an engine order nothing for its users.
func Disable() { runtime.RaceDisable() }

// Enable ends what Disable began.
func Enable() { runtime.RaceEnable() }
