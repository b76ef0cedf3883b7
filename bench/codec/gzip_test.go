// SPDX-License-Identifier: BSD-3-Clause

package codec

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"
	"testing"

	"github.com/spare-go/spare/codec/gzippool"
)

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func BenchmarkGzip(b *testing.B) {
	for _, in := range inputs {
		b.Run("input="+in.name+"/impl=naive", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				z := gzip.NewWriter(io.Discard)
				z.Write(in.data)
				z.Close()
			}
		})
		b.Run("input="+in.name+"/impl=syncpool", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				z := gzips.Get().(*gzip.Writer)
				z.Reset(io.Discard)
				z.Write(in.data)
				z.Close()
				gzips.Put(z)
			}
		})
		b.Run("input="+in.name+"/impl=spare", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				z := gzippool.Get(io.Discard)
				z.Write(in.data)
				z.Close()
			}
		})
		b.Run("input="+in.name+"/impl=spare-std", func(b *testing.B) {
			p := gzippool.Pool{Backend: gzippool.Standard}
			b.ReportAllocs()
			for b.Loop() {
				z := p.Get(io.Discard)
				z.Write(in.data)
				z.Close()
			}
		})
	}
}

type gunzipper struct {
	src bytes.Reader
	z   gzip.Reader
	out bytes.Buffer
}

var gunzips = sync.Pool{New: func() any { return new(gunzipper) }}

func BenchmarkGunzip(b *testing.B) {
	for _, in := range inputs {
		data := gzippool.AppendCompress(nil, in.data)
		b.Run("input="+in.name+"/impl=syncpool", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g := gunzips.Get().(*gunzipper)
				g.src.Reset(data)
				g.z.Reset(&g.src)
				g.out.Reset()
				g.out.ReadFrom(&g.z)
				g.src.Reset(nil)
				gunzips.Put(g)
			}
		})
		b.Run("input="+in.name+"/impl=spare", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out := scratch.Get(0)
				out, err := gzippool.AppendDecompress(out, data, 1<<20)
				if err != nil {
					b.Fatal(err)
				}
				scratch.Put(out)
			}
		})
	}
}
