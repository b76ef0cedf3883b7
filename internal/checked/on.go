// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

// Package checked is the switch of the checked build (-tags spare_checked), in
// which misuse of pooled memory is found and reported, and what finds it.
// Without the tag Enabled is a false constant, and what depends on it is not
// compiled.
//
// # How
//
// A registry knows the memory of each value that a pool handed out or was
// given, by address, and what became of it: out, idle or gone, with the stacks of the
// last Get and the last Put. It refers to memory weakly, so that what nobody
// uses any more is collected. Once for each collection a sweep goes through the
// registry and forgets what is no more; one that was still out is noted as never returned.
// No value has a cleanup: the runtime could not tell one of ours from a mistake
// in the program (GODEBUG=checkfinalizers=1).
//
// No value is handed out twice. A Get that would reuse a value buries it and makes a
// new one, so that whoever still holds the old one stays apart from the next
// user, and whatever is done with it is misuse for certain, however much
// later. The books (Stats) say what happens in a normal build. The setting "reuse" turns
// this off.
//
// # What is done to memory that was put
//
// The array of a slice is filled with a pattern, or cleared if it holds pointers. So is a
// value, if it is its users' alone (see package race): its contents are copied first, and given back
// before anybody may want them. That can be a finalizer or a cleanup of the program, which closes what the
// value owns, and of which the runtime does not tell. Hence a value is never
// unreachable while it is wiped: the registry keeps it, at most
// maxGraves values and maxGraveBytes and for at most maxAge collections,
// and then gives its contents back, before it lets go of it. From then on a sum
// over the contents is kept in place of the pattern if the value is still idle.
//
// Where the contents matter to the next owner (there is a Drop, or values are
// reused) a sum over them is taken from the beginning. A value that may be shared, because it owns a goroutine, say,
// is left alone: who knows it may read it and write to it at any time. Puts of it are checked all the same.
//
// The pattern and the sum are verified when the value would be handed
// out, when it leaves the pool, and once for each collection. What a value points to is
// not looked at.
package checked

import "unsafe"

// Enabled reports whether this is a checked build.
const Enabled = true

// pattern fills released memory.
const pattern = 0xCC

// Poison overwrites released memory.
func Poison(p []byte) { fill(p, pattern) }

// Poisoned reports whether p is as Poison left it.
func Poisoned(p []byte) bool { return firstOther(p, pattern) < 0 }

func fill(p []byte, c byte) {
	if len(p) == 0 {
		return
	}
	p[0] = c
	for n := 1; n < len(p); n *= 2 {
		copy(p[n:], p[:n])
	}
}

// firstOther returns the index of the first byte that is not c, or -1. The race
// detector does not see it read: the sweep looks at memory that is nobody's.
//
//go:norace
func firstOther(p []byte, c byte) int {
	for i := range p {
		if p[i] != c {
			return i
		}
	}
	return -1
}

// sum is FNV-1a over p, unseen by the race detector as in firstOther.
//
//go:norace
func sum(p []byte) uint64 {
	h := uint64(14695981039346656037)
	for i := range p {
		h = (h ^ uint64(p[i])) * 1099511628211
	}
	return h
}

//go:norace
func bytesAt(x unsafe.Pointer, n uintptr) []byte {
	// Sound: the callers pass memory of n bytes or more.
	return unsafe.Slice((*byte)(x), n)
}
