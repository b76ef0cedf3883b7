// SPDX-License-Identifier: BSD-3-Clause

package ok

import "testing"

var sink []byte

func BenchmarkCopy(b *testing.B) {
	for _, size := range []int{64, 4096} {
		for _, impl := range []string{"naive", "reuse"} {
			b.Run("impl="+impl+"/size="+map[int]string{64: "small", 4096: "large"}[size], func(b *testing.B) {
				buf := make([]byte, size)
				for b.Loop() {
					if impl == "naive" {
						sink = make([]byte, size)
					} else {
						sink = buf
					}
				}
			})
		}
	}
}

func BenchmarkAlone(b *testing.B) {
	for range b.N {
		sink = make([]byte, 8)
	}
}
