// SPDX-License-Identifier: BSD-3-Clause

//go:build race || spare_checked

package zstdpool_test

// inexact: the race detector and the checked build allocate, and reuse nothing or by chance.
const inexact = true
