// SPDX-License-Identifier: BSD-3-Clause

package workloads

import "testing"

var jsonDecodes = trio[jsonDecode]{jsonDecodeNaive, jsonDecodeSyncPool, jsonDecodeSpare}

func TestJSONDecode(t *testing.T) {
	prove(t, jsonDecodes, proof[jsonDecode, int, string]{
		inputs: []int{0, 1, 2, 3, 4, 5, 6}, // of decodings
		run:    func(job jsonDecode, i int) (string, error) { return decodeWith(job)(decodings[i].json) },
		show:   func(out string) string { return out },
		want:   func(i int) string { return decodings[i].shown },
	})
}

func BenchmarkJSONDecode(b *testing.B) {
	compare(b, jsonDecodes, func(b *testing.B, job jsonDecode) {
		data := []byte(jackJSON)
		n := 0
		use := func(r *record) error {
			n = r.ID + len(r.Name) + len(r.Items)
			return nil
		}
		for b.Loop() {
			if err := job(data, use); err != nil || n != 1+4+3 {
				b.Fatal(n, err)
			}
		}
	})
}
