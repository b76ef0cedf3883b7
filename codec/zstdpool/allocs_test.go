// SPDX-License-Identifier: BSD-3-Clause

package zstdpool_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/zstdpool"
	"github.com/spare-go/spare/pooltest"
)

// After a collection nothing is made anew, but what a decoder of the library that is
// never let go makes, too: it has its entropy tables from sync.Pools.
func TestAllocsAfterGC(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	var p zstdpool.Pool
	data := codectest.Text(1, 2000)
	in := plainCompress(t, data, true)
	dst := make([]byte, 0, 8000)
	src := bytes.NewReader(in)
	engine := codectest.EngineAllocsAfterGC()
	bare, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	var plain struct{ io.Reader }
	read := func() {
		src.Reset(in)
		plain.Reader = src
		bare.Reset(&plain)
		for err := error(nil); err == nil; {
			_, err = bare.Read(dst[:4000])
		}
	}
	library := codectest.AllocsAfterGC(read)
	for _, c := range []struct {
		name string
		want int
		f    func()
	}{
		{"Writer", 0, func() { z := p.Get(io.Discard); z.Write(data); z.Close() }},
		{"AppendCompressLevel", 0, func() { p.AppendCompressLevel(dst, data, zstd.SpeedDefault) }},
		{"Compress", 0, func() { src.Reset(data); p.Compress(io.Discard, src) }},
		{"AppendDecompress", library, func() { p.AppendDecompress(dst, in, 8000) }},
		{"Decompress", library, func() { src.Reset(in); p.Decompress(io.Discard, src, 8000) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			pooltest.Allocs(t, pooltest.Counts{Cold: pooltest.Any, AfterGC: pooltest.Any}, c.f)
			before := p.Stats().News
			if got := codectest.AllocsAfterGC(c.f); got > c.want+engine || p.Stats().News != before {
				t.Errorf("after three collections: %d objects, of which %d codecs", got, p.Stats().News-before)
			}
		})
	}
}
