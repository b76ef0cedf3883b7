// SPDX-License-Identifier: BSD-3-Clause

package codec

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"strconv"
	"testing"

	kflate "github.com/klauspost/compress/flate"
	kgzip "github.com/klauspost/compress/gzip"

	"github.com/spare-go/spare/codec/gzippool"
)

// The floor is what the libraries take for a message with codecs that are warm and nobody's but the
// benchmark's: no pool comes below it. bytes is the size of the result.

type gzipWriter interface {
	io.WriteCloser
	Reset(io.Writer)
}

func BenchmarkGzipFloor(b *testing.B) {
	for _, in := range messages {
		run := func(name string, z gzipWriter, err error) {
			if err != nil {
				b.Fatal(err)
			}
			b.Run("input="+in.name+"/impl="+name, func(b *testing.B) {
				var out bytes.Buffer
				for b.Loop() {
					out.Reset()
					z.Reset(&out)
					z.Write(in.data)
					z.Close()
				}
				b.ReportMetric(float64(out.Len()), "bytes")
			})
		}
		std, err := gzip.NewWriterLevel(nil, gzip.DefaultCompression)
		run("std", std, err)
		for _, level := range []int{kgzip.DefaultCompression, 1, 2, 3, kgzip.StatelessCompression, kgzip.HuffmanOnly} {
			z, err := kgzip.NewWriterLevel(nil, level)
			run("klauspost"+strconv.Itoa(level), z, err)
		}
		b.Run("input="+in.name+"/impl=spare", func(b *testing.B) {
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				z := gzippool.Get(&out)
				z.Write(in.data)
				z.Close()
			}
			b.ReportMetric(float64(out.Len()), "bytes")
		})
		// No compression at all, but the Reset that clears the tables.
		b.Run("input="+in.name+"/impl=std-reset", func(b *testing.B) {
			z, err := flate.NewWriter(nil, flate.DefaultCompression)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				z.Reset(io.Discard)
			}
		})
	}
}

func BenchmarkGunzipFloor(b *testing.B) {
	for _, in := range messages {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(in.data)
		z.Close()
		data := packed.Bytes()
		out := make([]byte, len(in.data)+1)
		read := func(b *testing.B, r io.Reader) {
			if n, err := io.ReadFull(r, out); n != len(in.data) || err != io.ErrUnexpectedEOF {
				b.Fatal(n, err)
			}
		}
		b.Run("input="+in.name+"/impl=std", func(b *testing.B) {
			var z gzip.Reader
			var src bytes.Reader
			for b.Loop() {
				src.Reset(data)
				z.Reset(&src)
				read(b, &z)
			}
		})
		b.Run("input="+in.name+"/impl=klauspost", func(b *testing.B) {
			var z kgzip.Reader
			var src bytes.Reader
			for b.Loop() {
				src.Reset(data)
				z.Reset(&src)
				read(b, &z)
			}
		})
		b.Run("input="+in.name+"/impl=spare", func(b *testing.B) {
			for b.Loop() {
				if got, err := gzippool.AppendDecompress(out[:0], data, 1<<20); len(got) != len(in.data) || err != nil {
					b.Fatal(len(got), err)
				}
			}
		})
		// Without header and checksum.
		b.Run("input="+in.name+"/impl=klauspost-inflate", func(b *testing.B) {
			var src bytes.Reader
			z := kflate.NewReader(&src)
			for b.Loop() {
				src.Reset(data[10:])
				z.(kflate.Resetter).Reset(&src, nil)
				read(b, z)
			}
		})
	}
}
