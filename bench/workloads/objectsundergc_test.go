// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"
)

var objectRounds = trio[objectRound]{objectRoundNaive, objectRoundSyncPool, objectRoundSpare}

// objectSum is what useObjects must find in n zero objects.
func objectSum(n int, name string) uint64 {
	return uint64(n)*uint64(len(name)) + 7*uint64(n)*uint64(n-1)/2
}

func TestObjectSize(t *testing.T) {
	if size := unsafe.Sizeof(object{}); unsafe.Sizeof(uintptr(0)) == 8 && size != 80 {
		t.Errorf("an object has %d bytes", size)
	}
}

func TestObjectsUnderGC(t *testing.T) {
	type input struct {
		n, gcs int
		name   string
	}
	prove(t, objectRounds, proof[objectRound, input, string]{
		inputs: []input{{300, 0, "a"}, {1000, 1, "bb"}, {1, 0, ""}, {700, 3, "ccc"}, {0, 0, "d"}},
		run: func(job objectRound, in input) (string, error) {
			held := make([]*object, in.n)
			sum := job(held, in.name)
			for i, o := range held {
				if o != nil {
					return "", fmt.Errorf("object %d of %d is still held", i, in.n)
				}
			}
			for range in.gcs {
				runtime.GC()
			}
			return fmt.Sprint(sum), nil
		},
		show: func(out string) string { return out },
		want: func(in input) string { return fmt.Sprint(objectSum(in.n, in.name)) },
	})
}

// One operation is a round of 10,000 objects and its collections.
func BenchmarkObjectsUnderGC(b *testing.B) {
	const n, name = 10_000, "object"
	for _, gcs := range []int{1, 3} {
		compare(b, objectRounds, func(b *testing.B, job objectRound) {
			held := make([]*object, n)
			for b.Loop() {
				if job(held, name) != objectSum(n, name) {
					b.Fatal("wrong sum")
				}
				for range gcs {
					runtime.GC()
				}
			}
		}, fmt.Sprintf("gcs=%d", gcs))
	}
}
