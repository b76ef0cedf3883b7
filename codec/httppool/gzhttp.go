// SPDX-License-Identifier: BSD-3-Clause

package httppool

import (
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/gzhttp/writer"
	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/zstdpool"
)

// compressors and zstds are for factories without a pool. As in gzhttp itself, the
// window for zstd is small: a server compresses many responses at a time.
var (
	compressors = gzippool.Pool{Name: "httppool"}
	zstds       = zstdpool.Pool{Name: "httppool", EncoderOptions: []zstd.EOption{
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(128 << 10),
	}}
)

// GzipFactory returns the option value for gzhttp.Implementation that compresses with
// codecs from p, or from a pool of this package if p is nil.
func GzipFactory(p *gzippool.Pool) writer.GzipWriterFactory {
	if p == nil {
		p = &compressors
	}
	lowest := gzippool.HuffmanOnly
	if p.Backend == gzippool.Klauspost {
		lowest = gzippool.StatelessCompression
	}
	return writer.GzipWriterFactory{
		Levels: func() (int, int) { return lowest, gzippool.BestCompression },
		New: func(w io.Writer, level int) writer.GzipWriter {
			z, err := p.GetLevel(w, level)
			if err != nil {
				panic(err) // gzhttp has looked at the level
			}
			return gzipWriter{z}
		},
	}
}

// gzipWriter adds to a Writer what gzhttp needs for its random padding.
type gzipWriter struct{ *gzippool.Writer }

var _ writer.GzipWriterExt = gzipWriter{}

func (z gzipWriter) SetHeader(h writer.Header) { z.Header = gzip.Header(h) }

// ZstdFactory returns the option value for gzhttp.ZstdImplementation that compresses
// with codecs from p, or from a pool of this package with small windows if p is
// nil. It panics if p has options that zstd refuses.
func ZstdFactory(p *zstdpool.Pool) writer.ZstdWriterFactory {
	if p == nil {
		p = &zstds
	}
	if z, err := p.GetLevel(io.Discard, zstd.SpeedFastest); err != nil {
		panic(err)
	} else {
		zstdpool.Put(z)
	}
	return writer.ZstdWriterFactory{
		Levels: func() (int, int) { return int(zstd.SpeedFastest), int(zstd.SpeedBestCompression) },
		New: func(w io.Writer, level int) writer.ZstdWriter {
			z, err := p.GetLevel(w, zstd.EncoderLevel(level))
			if err != nil {
				panic(err) // gzhttp has looked at the level
			}
			return z
		},
	}
}
