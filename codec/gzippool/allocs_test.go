// SPDX-License-Identifier: BSD-3-Clause

package gzippool_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/pooltest"
)

// After a collection nothing is made anew, and after three nothing but what the pool itself
// needs.
func TestAllocsAfterGC(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	engine := codectest.EngineAllocsAfterGC()
	data := codectest.Text(1, 2000)
	in := gzipped(data)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		dst := make([]byte, 0, 8000)
		src := bytes.NewReader(in)
		for name, f := range map[string]func(){
			"Writer":           func() { z := p.Get(io.Discard); z.Write(data); z.Close() },
			"AppendCompress":   func() { p.AppendCompress(dst, data) },
			"AppendDecompress": func() { p.AppendDecompress(dst, in, 8000) },
			"Compress":         func() { src.Reset(data); p.Compress(io.Discard, src) },
			"Decompress":       func() { src.Reset(in); p.Decompress(io.Discard, src, 8000) },
		} {
			t.Run(name, func(t *testing.T) {
				pooltest.Allocs(t, pooltest.Counts{Cold: pooltest.Any}, f)
				before := p.Stats().News
				if got := codectest.AllocsAfterGC(f); got > engine+1 || p.Stats().News != before {
					t.Errorf("after three collections: %d objects, of which %d codecs", got, p.Stats().News-before)
				}
			})
		}
	})
}
