// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"strings"
	"testing"
)

var jsonDecodeStreams = trio[jsonDecodeStream]{jsonDecodeStreamNaive, jsonDecodeStreamSyncPool, jsonDecodeStreamSpare}

func TestJSONDecodeStream(t *testing.T) {
	prove(t, jsonDecodeStreams, proof[jsonDecodeStream, int, string]{
		inputs: []int{0, 1, 2, 3, 4, 5, 6}, // of decodings
		run:    func(job jsonDecodeStream, i int) (string, error) { return decodeStreamWith(job)(decodings[i].json) },
		show:   func(out string) string { return out },
		want:   func(i int) string { return decodings[i].shown },
	})
}

func BenchmarkJSONDecodeStream(b *testing.B) {
	compare(b, jsonDecodeStreams, func(b *testing.B, job jsonDecodeStream) {
		src := strings.NewReader("")
		n := 0
		use := func(r *record) error {
			n = r.ID + len(r.Name) + len(r.Items)
			return nil
		}
		for b.Loop() {
			src.Reset(jackJSON)
			if err := job(src, use); err != nil || n != 1+4+3 {
				b.Fatal(n, err)
			}
		}
	})
}
