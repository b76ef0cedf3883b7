// SPDX-License-Identifier: BSD-3-Clause

// Package pooltest helps to test programs that use pools: whether what they take
// comes back, how many objects they allocate, and whether they survive a
// collector that never rests.
//
// All of it works in every build. In a checked build (go test -tags
// spare_checked) the pools find misuse themselves, and Leaks says where the
// values that are missing were taken.
package pooltest

import "github.com/spare-go/spare/internal/checked"

// Checked reports whether this is a checked build: whether the pools look for
// misuse.
const Checked = checked.Enabled

// TB is the part of testing.TB that this package uses.
type TB interface {
	Helper()
	Cleanup(func())
	Log(args ...any)
	Errorf(format string, args ...any)
}
