// SPDX-License-Identifier: BSD-3-Clause

package setup

import "testing"

var text []byte

func BenchmarkUnreset(b *testing.B) {
	text = make([]byte, 1<<16)
	for range b.N {
		text[0]++
	}
}

func BenchmarkReset(b *testing.B) {
	text = make([]byte, 1<<16)
	b.ResetTimer()
	for range b.N {
		text[0]++
	}
}

func BenchmarkLoop(b *testing.B) {
	text = make([]byte, 1<<16)
	for b.Loop() {
		text[0]++
	}
}
