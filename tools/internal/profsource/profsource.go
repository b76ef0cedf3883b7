// SPDX-License-Identifier: BSD-3-Clause

// Package profsource reads allocation profiles from where they are: a file, the
// pprof endpoint of a live process, or the profile store of a fleet (Pyroscope,
// Parca).
//
// Whatever the source, the result has one form, that of [Profile]. A source that
// cannot be read whole gives an error that names it and says what to do, and no
// profile.
//
// What comes out of it can be printed: names in a profile, and what a server says in
// an error, are without control characters (see package plain), and no error and no
// name of a source has a password or a token of an address or a header.
package profsource

import (
	"time"

	"github.com/google/pprof/profile"
)

// A Profile is what a source gave: allocation samples and the time they cover.
type Profile struct {
	// P has the sample types alloc_objects (count) and alloc_space (bytes), in
	// this order, followed by inuse_objects and inuse_space where the source knows
	// what was in use at its end. The values are estimates of all allocations, not
	// counts of samples; Period is the average number of bytes between samples
	// (MemProfileRate), 0 where the source does not tell.
	//
	// Frames are known by name, file and line. There are no mappings and no
	// addresses, so that profiles of processes that run the same code at different
	// addresses add up. The number label "bytes" is the size of one object, where
	// the source tells. Of two samples at least one of stack and size differs.
	P *profile.Profile

	// Span is the time in which P was allocated; 0 if unknown. For a fleet it is
	// the time of the wall clock: P holds what all processes allocated in it.
	Span time.Duration

	// From names the source, for messages. Passwords and tokens in it are masked.
	From string
}

// Limits. They are far above real profiles: one of 100,000 stacks of 40 frames
// has about 30 MB before compression.
const (
	// maxProfile bounds a profile, as it arrives and decompressed: decoded it
	// takes several times that.
	maxProfile = 256 << 20

	// maxSeries bounds the processes whose counts are told apart in one query.
	maxSeries = 10_000
)
