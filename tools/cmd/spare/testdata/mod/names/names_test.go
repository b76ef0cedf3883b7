// SPDX-License-Identifier: BSD-3-Clause

package names

import "testing"

var sink *[64]byte

func BenchmarkNames(b *testing.B) {
	for _, name := range []string{"with space", "a|b", "[z]", "in/side", "<b>&\"quoted\"", "", "twice", "twice", "é=\t", "^$.*+?(){}\\"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				sink = new([64]byte)
			}
		})
	}
}
