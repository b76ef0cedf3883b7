// SPDX-License-Identifier: BSD-3-Clause

package workloads

import "testing"

var gunzips = trio[gunzip]{gunzipNaive, gunzipSyncPool, gunzipSpare}

func TestGunzip(t *testing.T) {
	compressed := make([][]byte, len(texts))
	for i := range texts {
		compressed[i] = gzipped(texts[i].text)
	}
	prove(t, gunzips, proof[gunzip, int, []byte]{
		inputs: []int{0, 1, 2, 3, 4}, // of texts
		run: func(job gunzip, i int) (out []byte, err error) {
			err = job(compressed[i], func(b []byte) error {
				out = lend(b)
				return nil
			})
			return out, err
		},
		show: func(out []byte) string { return string(out) },
		want: func(i int) string { return texts[i].text },
	})
}

// Damaged input must be an error, and harm nobody after it.
func TestGunzipDamaged(t *testing.T) {
	good := gzipped(text200)
	flipped := append([]byte(nil), good...)
	flipped[len(flipped)-5] ^= 1 // in the checksum: found only at the end
	damaged := map[string][]byte{
		"empty":     nil,
		"no header": []byte(text200),
		"cut short": good[:len(good)-3],
		"checksum":  flipped,
	}
	for impl, job := range gunzips.all() {
		for range 10 {
			for name, data := range damaged {
				if err := job(data, func([]byte) error { return nil }); err == nil {
					t.Fatalf("%s: %s: no error", impl, name)
				}
				var got string
				err := job(good, func(b []byte) error {
					got = string(b)
					return nil
				})
				if err != nil || got != text200 {
					t.Fatalf("%s: after %s: %v, got %s", impl, name, err, clip(got))
				}
			}
		}
	}
}

func BenchmarkGunzip(b *testing.B) {
	for _, in := range texts[:2] {
		compare(b, gunzips, func(b *testing.B, job gunzip) {
			data := gzipped(in.text)
			n := 0
			use := func(b []byte) error {
				n = len(b)
				return nil
			}
			for b.Loop() {
				if err := job(data, use); err != nil || n != len(in.text) {
					b.Fatal(n, err)
				}
			}
		}, "input="+in.name)
	}
}
