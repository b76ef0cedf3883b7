// SPDX-License-Identifier: BSD-3-Clause

package codec

import (
	"io"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/zstdpool"
)

// A zstd codec without goroutines, as one must make it for a sync.Pool.
func newZstd() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // no option is wrong
	}
	return z
}

func newUnzstd() *zstd.Decoder {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		panic(err)
	}
	return z
}

var (
	zstds   = sync.Pool{New: func() any { return newZstd() }}
	unzstds = sync.Pool{New: func() any { return newUnzstd() }}
)

func BenchmarkZstd(b *testing.B) {
	for _, in := range inputs {
		b.Run("input="+in.name+"/impl=naive", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				z := newZstd()
				z.Reset(io.Discard)
				z.Write(in.data)
				z.Close()
			}
		})
		b.Run("input="+in.name+"/impl=syncpool", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				z := zstds.Get().(*zstd.Encoder)
				z.Reset(io.Discard)
				z.Write(in.data)
				z.Close()
				z.Reset(nil)
				zstds.Put(z)
			}
		})
		b.Run("input="+in.name+"/impl=spare", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				z := zstdpool.Get(io.Discard)
				z.Write(in.data)
				z.Close()
			}
		})
	}
}

func BenchmarkUnzstd(b *testing.B) {
	for _, in := range inputs {
		data := zstdpool.AppendCompress(nil, in.data)
		b.Run("input="+in.name+"/impl=naive", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				z := newUnzstd()
				out, err := z.DecodeAll(data, nil)
				if err != nil || len(out) != len(in.data) {
					b.Fatal(err)
				}
				z.Close()
			}
		})
		b.Run("input="+in.name+"/impl=syncpool", func(b *testing.B) {
			bufs := sync.Pool{New: func() any { return new([]byte) }}
			b.ReportAllocs()
			for b.Loop() {
				z, buf := unzstds.Get().(*zstd.Decoder), bufs.Get().(*[]byte)
				out, err := z.DecodeAll(data, (*buf)[:0])
				if err != nil || len(out) != len(in.data) {
					b.Fatal(err)
				}
				*buf = out
				bufs.Put(buf)
				unzstds.Put(z)
			}
		})
		b.Run("input="+in.name+"/impl=spare", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out, err := zstdpool.AppendDecompress(scratch.Get(0), data, 1<<20)
				if err != nil || len(out) != len(in.data) {
					b.Fatal(err)
				}
				scratch.Put(out)
			}
		})
	}
}
