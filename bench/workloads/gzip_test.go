// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
)

var gzips = trio[gzipTo]{gzipNaive, gzipSyncPool, gzipSpare}

// texts are what the tests of Gzip and Gunzip compress; the first two are those of
// the benchmarks.
var texts = []struct{ name, text string }{
	{"text200", text200},
	{"json64k", string(jsonDocument(64 << 10))},
	{"empty", ""},
	{"other200", strings.ToUpper(text200)},
	{"repeated", strings.Repeat("spare ", 5000)},
}

// gzipped compresses s in the plainest way.
func gzipped(s string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	compressed := make([]string, len(texts))
	for i := range texts {
		compressed[i] = string(gzipped(texts[i].text))
	}
	prove(t, gzips, proof[gzipTo, int, *lateWriter]{
		inputs: []int{0, 1, 2, 3, 4}, // of texts
		run: func(job gzipTo, i int) (*lateWriter, error) {
			w := new(lateWriter)
			return w, job(w, []byte(texts[i].text))
		},
		show: func(w *lateWriter) string {
			r, err := gzip.NewReader(bytes.NewReader(w.got))
			if err != nil {
				return fmt.Sprint(err)
			}
			text, err := io.ReadAll(r)
			return fmt.Sprint(string(w.got), string(text), err)
		},
		want: func(i int) string { return fmt.Sprint(compressed[i], texts[i].text, error(nil)) },
	})
}

// A failed Write must reach the caller and nobody after it.
func TestGzipWriteError(t *testing.T) {
	want := gzipped(text200)
	for impl, job := range gzips.all() {
		for range 10 {
			if err := job(brokenWriter{}, []byte(text200)); err != errBroken {
				t.Fatalf("%s: got %v, want %v", impl, err, errBroken)
			}
			w := new(lateWriter)
			if err := job(w, []byte(text200)); err != nil || !bytes.Equal(w.got, want) {
				t.Fatalf("%s: after a failed write: %v, %d bytes, want %d", impl, err, len(w.got), len(want))
			}
		}
	}
}

func BenchmarkGzip(b *testing.B) {
	for _, in := range texts[:2] {
		compare(b, gzips, func(b *testing.B, job gzipTo) {
			data := []byte(in.text)
			for b.Loop() {
				if err := job(io.Discard, data); err != nil {
					b.Fatal(err)
				}
			}
		}, "input="+in.name)
	}
}
