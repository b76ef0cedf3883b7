// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked

import "unsafe"

// Parse is parse, without an effect, on a system with guard pages or without.
func Parse(words, guard string, canGuard bool) error {
	defer func(reuse, strangers, leaks, only bool, n int64) {
		settings.reuse.Store(reuse)
		settings.strangers.Store(strangers)
		settings.leaks.Store(leaks)
		settings.guardOnly.Store(only)
		settings.guard.Store(n)
	}(settings.reuse.Load(), settings.strangers.Load(), settings.leaks.Load(), settings.guardOnly.Load(), settings.guard.Load())
	return parse(words, guard, canGuard)
}

// Records returns how many values are known.
//
//go:norace
func Records() int {
	lock()
	defer unlock()
	return registry.count
}

const (
	MaxGraves     = maxGraves
	MaxGuards     = maxGuards
	MaxGuardBytes = maxGuardBytes
)

// Guards returns how many slices stay inaccessible, and how many bytes are
// mapped.
//
//go:norace
func Guards() (n int, bytes uintptr) {
	lock()
	defer unlock()
	return len(registry.guards), registry.guardBytes
}

// ForgetGuards lets new slices be guarded, whatever is mapped.
//
//go:norace
func ForgetGuards() {
	lock()
	defer unlock()
	registry.guardBytes = 0
}

// AddressOf returns where the array of s begins.
func AddressOf(s []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
