// SPDX-License-Identifier: BSD-3-Clause

//go:build !race && !spare_checked

package gzippool_test

// inexact: the race detector and the checked build allocate, and reuse nothing or by chance.
const inexact = false
