// SPDX-License-Identifier: BSD-3-Clause

//go:build !spare_checked

// Package checked is the switch of the checked build (-tags spare_checked), in
// which misuse of pooled memory is found and reported, and pools do not reuse
// memory, so that what is stale stays recognizable. Without the tag Enabled is
// a false constant, and what depends on it is not compiled.
package checked

// Enabled reports whether this is a checked build.
const Enabled = false

// Poison overwrites released memory.
func Poison(p []byte) {}

// Poisoned reports whether p is as Poison left it.
func Poisoned(p []byte) bool { return true }
