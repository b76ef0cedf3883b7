// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"io"
	"math"
	"sync"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/codec/internal/lease"
)

var errs = lease.NewErrors("gzippool")

var (
	// ErrClosed is returned for use of a Writer or Reader whose codec was given
	// back.
	ErrClosed = errs.Closed

	// ErrTooLarge is wrapped by the error for data that decompress to more than the
	// limit.
	ErrTooLarge = errs.TooLarge
)

// NoLimit is the limit of who does not want one.
const NoLimit int64 = math.MaxInt64

// A Pool keeps idle gzip codecs: compressors by level, and decompressors. The
// functions of this package use one that is shared by the whole program; a Pool of
// one's own has its own backend, bound and name.
//
// The zero Pool is ready for use. It is safe for concurrent use and must not be
// copied after first use. Its fields must not change after first use. Which codecs
// stay, and for how long, is as for [spare.Pool].
type Pool struct {
	// Backend is the implementation.
	Backend Backend

	// MaxIdle bounds the bytes that idle codecs of one kind hold: the
	// compressors of one level, or the decompressors. If it is 0, they are
	// bounded by trimming only.
	MaxIdle int

	// Name is the name under which spare.All lists the codecs.
	Name string

	once     sync.Once
	encoders [maxLevel - minLevel + 1]encoders
	decoders decoders
}

// shared is the pool behind the functions of this package.
var shared = Pool{Name: "gzippool"}

func (p *Pool) init() {
	for i := range p.encoders {
		level := minLevel + i
		if level == StatelessCompression && p.Backend == Standard {
			continue
		}
		p.encoders[i].Init(p.Name, p.MaxIdle, func() *encoder { return newEncoder(p.Backend, level) })
	}
	p.decoders.Init(p.Name, p.MaxIdle, func() *decoder { return newDecoder(p.Backend) })
}

// decoder begins a turn with a decompressor.
func (p *Pool) decoder() *lease.Lease[*decoder] {
	p.once.Do(p.init)
	return p.decoders.Get()
}

// encodersOf returns the compressors of a level.
func (p *Pool) encodersOf(level int) (*encoders, error) {
	p.once.Do(p.init)
	if level < minLevel || level > maxLevel || level == StatelessCompression && p.Backend == Standard {
		_, err := p.Backend.newCompressor(level)
		return nil, err
	}
	return &p.encoders[level-minLevel], nil
}

// Stats returns the sum of the [spare.Stats] of all codecs.
func (p *Pool) Stats() spare.Stats { return lease.Stats(p.encoders[:], &p.decoders) }

// Drain lets every idle codec go. The pool remains usable.
func (p *Pool) Drain() { lease.Drain(p.encoders[:], &p.decoders) }

// Get returns a Writer that compresses to w at the default level, in place of
// gzip.NewWriter.
func Get(w io.Writer) *Writer {
	z := new(Writer)
	z.open(&shared, w, DefaultCompression)
	return z
}

// GetLevel is like Get but with a compression level, in place of
// gzip.NewWriterLevel. It returns the backend's error for a level that does not
// exist.
func GetLevel(w io.Writer, level int) (*Writer, error) { return shared.GetLevel(w, level) }

// GetReader returns a Reader of the gzip stream r, in place of gzip.NewReader. The
// Reader returns an error that wraps ErrTooLarge instead of more than limit
// bytes. Like gzip.NewReader, GetReader reads the header and returns the
// error met there.
func GetReader(r io.Reader, limit int64) (*Reader, error) { return shared.GetReader(r, limit) }

// Put gives back the codec of a Writer that may not have been closed: what
// was written since the last Flush may be lost. After Close it does
// nothing. A nil z is ignored. The codec goes back to the pool that it came
// from.
func Put(z *Writer) {
	if z != nil {
		z.release()
	}
}

// PutReader gives back the codec of a Reader, as Close does. A nil z is ignored.
func PutReader(z *Reader) {
	if z != nil {
		z.Close()
	}
}

// Get is like the function [Get].
func (p *Pool) Get(w io.Writer) *Writer {
	z := new(Writer)
	z.open(p, w, DefaultCompression)
	return z
}

// GetLevel is like the function [GetLevel].
func (p *Pool) GetLevel(w io.Writer, level int) (*Writer, error) {
	z := new(Writer)
	if err := z.open(p, w, level); err != nil {
		return nil, err
	}
	return z, nil
}

// GetReader is like the function [GetReader].
func (p *Pool) GetReader(r io.Reader, limit int64) (*Reader, error) {
	z := new(Reader)
	if err := z.open(p, r, limit); err != nil {
		return nil, err
	}
	return z, nil
}
