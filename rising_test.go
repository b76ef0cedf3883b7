// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"testing"

	"github.com/spare-go/spare"
)

// TestSlicesRising uses one slice at a time, of sizes that rise through all classes, so that
// no array that is idle serves the next user. The classes are bounded together.
func TestSlicesRising(t *testing.T) {
	for _, ask := range []string{"as much", "too little"} {
		t.Run(ask, func(t *testing.T) {
			oneP(t)
			noGC(t)
			var p spare.Slices[byte]
			const most = 16 << 20
			for round := range 3 {
				for size := 64 << 10; size <= most; size += size / 6 {
					n := size
					if ask == "too little" {
						n = 100
					}
					p.Put(p.Grow(p.Get(n), size)[:size])
					// An array of a class is up to a quarter larger than what was asked for.
					if s := p.Stats(); s.IdleBytes > 2*(most+most/4)+(6<<20) {
						t.Fatalf("round %d, size %d: %d MiB idle, where one slice of 16 MiB at most is in use", round, size, s.IdleBytes>>20)
					}
				}
			}
		})
	}
}
