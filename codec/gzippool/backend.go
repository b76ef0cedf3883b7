// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"compress/gzip"
	"io"
	"time"

	kgzip "github.com/klauspost/compress/gzip"
)

// The compression levels of compress/gzip, and one of klauspost/compress.
const (
	NoCompression      = gzip.NoCompression
	BestSpeed          = gzip.BestSpeed
	BestCompression    = gzip.BestCompression
	DefaultCompression = gzip.DefaultCompression
	HuffmanOnly        = gzip.HuffmanOnly

	// StatelessCompression keeps no tables between calls of Write. Only the
	// backend Klauspost has it.
	StatelessCompression = kgzip.StatelessCompression
)

const (
	minLevel = StatelessCompression
	maxLevel = BestCompression
)

// A Backend is an implementation of gzip.
type Backend uint8

const (
	Klauspost Backend = iota // github.com/klauspost/compress/gzip, the faster one
	Standard                 // compress/gzip
)

// String returns the import path of the implementation.
func (b Backend) String() string {
	switch b {
	case Klauspost:
		return "github.com/klauspost/compress/gzip"
	case Standard:
		return "compress/gzip"
	}
	return "gzippool: unknown backend"
}

// A compressor is a gzip.Writer of either backend.
type compressor interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
	setHeader(gzip.Header)
}

// newCompressor returns the backend's own error for a level that it does not
// have.
func (b Backend) newCompressor(level int) (compressor, error) {
	if b == Standard {
		z, err := gzip.NewWriterLevel(nil, level)
		return standardWriter{z}, err
	}
	z, err := kgzip.NewWriterLevel(nil, level)
	return klauspostWriter{z}, err
}

type standardWriter struct{ *gzip.Writer }

func (z standardWriter) setHeader(h gzip.Header) { z.Header = h }

type klauspostWriter struct{ *kgzip.Writer }

func (z klauspostWriter) setHeader(h gzip.Header) {
	z.Header = kgzip.Header(h)
	// This backend writes the low half of any time's seconds, also of the zero
	// time's. 0 is how the format says that there is no time.
	if h.ModTime.IsZero() || !h.ModTime.After(epoch) {
		z.ModTime = epoch
	}
}

var epoch = time.Unix(0, 0)

// A decompressor is a gzip.Reader of either backend.
type decompressor interface {
	io.Reader
	Reset(io.Reader) error
	Multistream(bool)
	header() gzip.Header
	clearHeader()
}

func (b Backend) newDecompressor() decompressor {
	if b == Standard {
		return standardReader{new(gzip.Reader)}
	}
	return klauspostReader{new(kgzip.Reader)}
}

type standardReader struct{ *gzip.Reader }

func (z standardReader) header() gzip.Header { return z.Header }
func (z standardReader) clearHeader()        { z.Header = gzip.Header{} }

type klauspostReader struct{ *kgzip.Reader }

func (z klauspostReader) header() gzip.Header {
	h := gzip.Header(z.Header)
	if h.ModTime.Unix() == 0 {
		h.ModTime = time.Time{}
	}
	return h
}

func (z klauspostReader) clearHeader() { z.Header = kgzip.Header{} }
