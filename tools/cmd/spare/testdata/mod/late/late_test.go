// SPDX-License-Identifier: BSD-3-Clause

package late

import "testing"

// BenchmarkLate is right once and fails when it has to do more.
func BenchmarkLate(b *testing.B) {
	if b.N > 1 {
		b.Fatalf("cannot do it %d times", b.N)
	}
}
