// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"fmt"
	"strings"
	"testing"
)

var smallBufferJobs = trio[smallBuffer]{smallBufferNaive, smallBufferSyncPool, smallBufferSpare}

// partsOf cuts the first size bytes of an endless text into parts of up to 16.
func partsOf(size int) []string {
	text := strings.Repeat(text200, size/len(text200)+1)[:size]
	var parts []string
	for len(text) > 0 {
		n := min(16, len(text))
		parts = append(parts, text[:n])
		text = text[n:]
	}
	return parts
}

func TestSmallBuffer(t *testing.T) {
	prove(t, smallBufferJobs, proof[smallBuffer, []string, string]{
		inputs: [][]string{
			partsOf(1024), partsOf(0), partsOf(5), {"other", " ", "text"}, partsOf(64), partsOf(128), {""}, partsOf(100_000),
		},
		run:  func(job smallBuffer, parts []string) (string, error) { return job(parts), nil },
		show: func(out string) string { return out },
		want: func(parts []string) string { return strings.Join(parts, "") },
	})
}

func BenchmarkSmallBuffer(b *testing.B) {
	for _, size := range []int{0, 5, 64, 128, 1024} {
		compare(b, smallBufferJobs, func(b *testing.B, job smallBuffer) {
			parts := partsOf(size)
			for b.Loop() {
				if len(job(parts)) != size {
					b.Fatal("wrong length")
				}
			}
		}, fmt.Sprintf("size=%d", size))
	}
}
