// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"fmt"
	"runtime"
	"testing"
)

var sliceAppends = trio[sliceAppend]{sliceAppendNaive, sliceAppendSyncPool, sliceAppendSpare}

// total is what the benchmark's consumer makes of the numbers.
func total(s []int) int {
	sum := 0
	for _, v := range s {
		sum += v
	}
	return sum
}

func TestSliceAppend(t *testing.T) {
	type input struct{ n, first int }
	prove(t, sliceAppends, proof[sliceAppend, input, string]{
		inputs: []input{{1, 42}, {0, 0}, {5, -2}, {128, 1000}, {3000, 7}, {2, 9}},
		run: func(job sliceAppend, in input) (string, error) {
			var seen string
			sum := job(in.n, in.first, func(s []int) int {
				runtime.Gosched()
				seen = fmt.Sprint(s)
				return total(s)
			})
			return fmt.Sprintf("%d %s", sum, seen), nil
		},
		show: func(out string) string { return out },
		want: func(in input) string {
			s := make([]int, in.n)
			for i := range s {
				s[i] = in.first + i
			}
			return fmt.Sprintf("%d %v", in.n*in.first+in.n*(in.n-1)/2, s)
		},
	})
}

func BenchmarkSliceAppend(b *testing.B) {
	compare(b, sliceAppends, func(b *testing.B, job sliceAppend) {
		for b.Loop() {
			if job(1, 42, total) != 42 {
				b.Fatal("wrong sum")
			}
		}
	}, "size=1")

	// 128 ints are 1 KiB. Each implementation sees the same sizes in the same order.
	sizes := lognormalSizes(1024, 128)
	compare(b, sliceAppends, func(b *testing.B, job sliceAppend) {
		i := 0
		for b.Loop() {
			n := sizes[i%len(sizes)]
			i++
			if job(n, 0, total) != n*(n-1)/2 {
				b.Fatal("wrong sum")
			}
		}
	}, "size=lognormal")
}
