// SPDX-License-Identifier: BSD-3-Clause

package pooltest

import "time"

// SetGrace sets how long Leaks waits, and returns what undoes it.
func SetGrace(d time.Duration) func() {
	old := grace
	grace = d
	return func() { grace = old }
}

var Uncounted = uncounted
