// SPDX-License-Identifier: BSD-3-Clause

//go:build !race && !spare_checked

package codectest

// Inexact is set where counts are not exact: the race detector and the checked build allocate, and reuse nothing or by chance.
const Inexact = false
