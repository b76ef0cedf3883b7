// SPDX-License-Identifier: BSD-3-Clause

package fails

import "testing"

func BenchmarkGood(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkFails(b *testing.B) {
	b.Run("inner", func(b *testing.B) { b.Fatal("the reason of the failure") })
}
