// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"fmt"
	"io"
	"testing"
)

var jsonEncodeStreams = trio[jsonEncodeStream]{jsonEncodeStreamNaive, jsonEncodeStreamSyncPool, jsonEncodeStreamSpare}

func TestJSONEncodeStream(t *testing.T) {
	prove(t, jsonEncodeStreams, proof[jsonEncodeStream, int, *lateWriter]{
		inputs: []int{0, 1, 2, 3, 4}, // of encodings
		run: func(job jsonEncodeStream, i int) (*lateWriter, error) {
			w := new(lateWriter)
			return w, job(w, encodings[i].record)
		},
		show: func(w *lateWriter) string { return fmt.Sprintf("%d write: %s", w.writes, w.got) },
		want: func(i int) string { return "1 write: " + encodings[i].json + "\n" },
	})
}

// A failed Write must reach the caller and nobody after it.
func TestJSONEncodeStreamWriteError(t *testing.T) {
	for impl, job := range jsonEncodeStreams.all() {
		for range 20 {
			if err := job(brokenWriter{}, jack()); err != errBroken {
				t.Fatalf("%s: got %v, want %v", impl, err, errBroken)
			}
			w := new(lateWriter)
			if err := job(w, jack()); err != nil {
				t.Fatalf("%s: after a failed write: %v", impl, err)
			}
			if got := string(w.got); got != jackJSON+"\n" {
				t.Fatalf("%s: after a failed write: got %q", impl, got)
			}
		}
	}
}

func BenchmarkJSONEncodeStream(b *testing.B) {
	compare(b, jsonEncodeStreams, func(b *testing.B, job jsonEncodeStream) {
		r := jack()
		for b.Loop() {
			if err := job(io.Discard, r); err != nil {
				b.Fatal(err)
			}
		}
	})
}
