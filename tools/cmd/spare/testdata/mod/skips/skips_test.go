// SPDX-License-Identifier: BSD-3-Clause

package skips

import "testing"

func BenchmarkSkips(b *testing.B) { b.Skip("needs something") }

func BenchmarkRuns(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}
