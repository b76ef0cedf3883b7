// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

var replicates = trio[replicate]{replicateNaive, replicateSyncPool, replicateSpare}

// totalLen is what the benchmark's consumer makes of the strings.
func totalLen(ss []string) int {
	n := 0
	for _, s := range ss {
		n += len(s)
	}
	return n
}

func TestReplicate(t *testing.T) {
	type input struct {
		s string
		n int
	}
	prove(t, replicates, proof[replicate, input, string]{
		inputs: []input{{"Jack", 5}, {"knife", 100}, {"", 3}, {"shield", 0}, {"herbs", 1000}, {"rope", 1}},
		run: func(job replicate, in input) (string, error) {
			var seen string
			sum := job(in.s, in.n, func(ss []string) int {
				runtime.Gosched()
				seen = strings.Join(ss, ",")
				return totalLen(ss)
			})
			return fmt.Sprintf("%d %s", sum, seen), nil
		},
		show: func(out string) string { return out },
		want: func(in input) string {
			joined := strings.TrimSuffix(strings.Repeat(in.s+",", in.n), ",")
			if in.n > 0 && in.s == "" {
				joined = strings.Repeat(",", in.n-1)
			}
			return fmt.Sprintf("%d %s", len(in.s)*in.n, joined)
		},
	})
}

func BenchmarkReplicate(b *testing.B) {
	for _, n := range []int{5, 100} {
		compare(b, replicates, func(b *testing.B, job replicate) {
			for b.Loop() {
				if job("this is a string", n, totalLen) != 16*n {
					b.Fatal("wrong sum")
				}
			}
		}, fmt.Sprintf("n=%d", n))
	}
}
