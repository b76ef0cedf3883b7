// SPDX-License-Identifier: BSD-3-Clause

package panics

import "testing"

func BenchmarkGood(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkPanics(b *testing.B) { panic("the reason of the panic") }
