// SPDX-License-Identifier: BSD-3-Clause

package workloads

import "testing"

var jsonEncodes = trio[jsonEncode]{jsonEncodeNaive, jsonEncodeSyncPool, jsonEncodeSpare}

func TestJSONEncode(t *testing.T) {
	prove(t, jsonEncodes, proof[jsonEncode, int, []byte]{
		inputs: []int{0, 1, 2, 3, 4}, // of encodings
		run: func(job jsonEncode, i int) (out []byte, err error) {
			err = job(encodings[i].record, func(b []byte) error {
				out = lend(b)
				return nil
			})
			return out, err
		},
		show: func(out []byte) string { return string(out) },
		want: func(i int) string { return encodings[i].json },
	})
}

func TestJSONEncodeUseError(t *testing.T) {
	for impl, job := range jsonEncodes.all() {
		if err := job(jack(), func([]byte) error { return errBroken }); err != errBroken {
			t.Errorf("%s: got %v, want %v", impl, err, errBroken)
		}
	}
}

func BenchmarkJSONEncode(b *testing.B) {
	compare(b, jsonEncodes, func(b *testing.B, job jsonEncode) {
		r := jack()
		n := 0
		use := func(b []byte) error {
			n = len(b)
			return nil
		}
		for b.Loop() {
			if err := job(r, use); err != nil || n != len(jackJSON) {
				b.Fatal(n, err)
			}
		}
	})
}
