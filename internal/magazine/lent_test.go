// SPDX-License-Identifier: BSD-3-Clause

package magazine

import (
	"math/rand/v2"
	"testing"
)

// TestLent compares a lent with a map, over addresses that collide and that do not.
func TestLent(t *testing.T) {
	for _, step := range []uintptr{8, 1 << 13, 1 << 20} {
		for _, most := range []int{1, 5, 100, 3000} {
			r := rand.New(rand.NewPCG(uint64(step), uint64(most)))
			var l lent
			model := make(map[uintptr]int64)
			for i := range 20_000 {
				key := step * uintptr(1+r.IntN(most))
				bytes := int64(key % 1000)
				if r.IntN(2) == 0 {
					l.add(key, bytes)
					model[key] = bytes
				} else {
					_, want := model[key]
					delete(model, key)
					if got := l.remove(key, bytes); got != want {
						t.Fatalf("step %d, %d keys, operation %d: remove reports %v, want %v", step, most, i, got, want)
					}
				}
				if i%5000 == 4999 {
					l.clear()
					clear(model)
				}
				sum := int64(0)
				if most <= 100 || i%500 == 0 {
					for _, b := range model {
						sum += b
					}
					if l.n != len(model) || l.bytes != sum {
						t.Fatalf("step %d, %d keys, operation %d: %d arrays of %d bytes, want %d of %d", step, most, i, l.n, l.bytes, len(model), sum)
					}
				}
			}
			for key := range model {
				if !l.remove(key, 0) {
					t.Fatalf("step %d, %d keys: %#x is lost", step, most, key)
				}
			}
		}
	}
}
