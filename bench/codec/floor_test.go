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

// BenchmarkGzipFloor measures the levels that compress. Of the standard library's, 2 to 9
// cost the same for such messages: the tables that Reset clears.
func BenchmarkGzipFloor(b *testing.B) {
	for _, in := range messages {
		var out bytes.Buffer
		run := func(name string, compress func(data []byte)) {
			b.Run("input="+in.name+"/impl="+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					out.Reset()
					compress(in.data[i%len(in.data)])
				}
				out.Reset()
				for _, data := range in.data {
					compress(data)
				}
				b.ReportMetric(float64(out.Len())/float64(len(in.data)), "bytes")
			})
		}
		bare := func(library string, level int, z gzipWriter, err error) {
			if err != nil {
				b.Fatal(err)
			}
			run(library+levelName(level), func(data []byte) {
				z.Reset(&out)
				z.Write(data)
				z.Close()
			})
		}
		for _, level := range []int{gzip.DefaultCompression, 1, 9, gzip.HuffmanOnly} {
			z, err := gzip.NewWriterLevel(nil, level)
			bare("std", level, z, err)
		}
		for _, level := range []int{kgzip.DefaultCompression, 1, 2, 3, 4, 5, 6, 7, 8, 9, kgzip.HuffmanOnly, kgzip.StatelessCompression} {
			z, err := kgzip.NewWriterLevel(nil, level)
			bare("klauspost", level, z, err)
		}
		run("spare", func(data []byte) {
			z := gzippool.Get(&out)
			z.Write(data)
			z.Close()
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

func levelName(level int) string {
	switch level {
	case kgzip.DefaultCompression:
		return ""
	case kgzip.HuffmanOnly:
		return "-huffman"
	case kgzip.StatelessCompression:
		return "-stateless"
	}
	return strconv.Itoa(level)
}

func BenchmarkGunzipFloor(b *testing.B) {
	for _, in := range messages {
		packed := make([][]byte, len(in.data))
		for i, data := range in.data {
			var w bytes.Buffer
			z := gzip.NewWriter(&w)
			z.Write(data)
			z.Close()
			packed[i] = w.Bytes()
		}
		size := len(in.data[0])
		out := make([]byte, size+1)
		run := func(name string, job func(data []byte) (int, error)) {
			b.Run("input="+in.name+"/impl="+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					if n, err := job(packed[i%len(packed)]); n != size || err != nil {
						b.Fatal(n, err)
					}
				}
			})
		}
		read := func(r io.Reader) (int, error) {
			n, err := io.ReadFull(r, out)
			if err == io.ErrUnexpectedEOF { // out is a byte too long
				err = nil
			}
			return n, err
		}
		var src bytes.Reader
		bare := func(z interface {
			io.Reader
			Reset(io.Reader) error
		}) func([]byte) (int, error) {
			return func(data []byte) (int, error) {
				src.Reset(data)
				if err := z.Reset(&src); err != nil {
					return 0, err
				}
				return read(z)
			}
		}
		run("std", bare(new(gzip.Reader)))
		run("klauspost", bare(new(kgzip.Reader)))
		run("spare", func(data []byte) (int, error) {
			got, err := gzippool.AppendDecompress(out[:0], data, 1<<20)
			return len(got), err
		})
		// Without header and checksum.
		z := kflate.NewReader(&src)
		run("klauspost-inflate", func(data []byte) (int, error) {
			src.Reset(data[10:])
			if err := z.(kflate.Resetter).Reset(&src, nil); err != nil {
				return 0, err
			}
			return read(z)
		})
	}
}
