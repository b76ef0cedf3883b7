// SPDX-License-Identifier: BSD-3-Clause

// Package poolkeep reports pools that keep what they should not: content of
// the last user, references, and memory without bound.
package poolkeep
