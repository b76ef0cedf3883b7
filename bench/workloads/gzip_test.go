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

// The compressed bytes may differ, since the compressors do; what they hold may not.
func TestGzip(t *testing.T) {
	prove(t, gzips, proof[gzipTo, int, *lateWriter]{
		inputs: []int{0, 1, 2, 3, 4}, // of texts
		run: func(job gzipTo, i int) (*lateWriter, error) {
			w := new(lateWriter)
			return w, job(w, []byte(texts[i].text))
		},
		show: func(w *lateWriter) string { return gunzipped(w.got) },
		want: func(i int) string { return texts[i].text },
	})
}

// gunzipped decompresses b in the plainest way.
func gunzipped(b []byte) string {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return fmt.Sprint(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}

// Being fast by compressing little would be no merit. The compressor behind spare makes
// JSON a sixth larger at the default level.
func TestGzipSizes(t *testing.T) {
	for _, in := range texts {
		want := len(gzipped(in.text))
		for impl, job := range gzips.all() {
			w := new(lateWriter)
			if err := job(w, []byte(in.text)); err != nil || len(w.got) > want+want/5+16 {
				t.Errorf("%s, %s: %d bytes, %v; compress/gzip makes %d", in.name, impl, len(w.got), err, want)
			}
		}
	}
}

// A failed Write must reach the caller and nobody after it.
func TestGzipWriteError(t *testing.T) {
	for impl, job := range gzips.all() {
		for range 10 {
			if err := job(brokenWriter{}, []byte(text200)); err != errBroken {
				t.Fatalf("%s: got %v, want %v", impl, err, errBroken)
			}
			w := new(lateWriter)
			if err := job(w, []byte(text200)); err != nil || gunzipped(w.got) != text200 {
				t.Fatalf("%s: after a failed write: %v, %d bytes", impl, err, len(w.got))
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
