// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/codec/internal/lease"
)

var errs = lease.NewErrors("zstdpool")

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

// DefaultMaxWindow is the largest window that a decoder accepts unless it is told
// otherwise: that of the zstd command up to level 19, and more than RFC 8878 asks
// decoders to support.
const DefaultMaxWindow = 64 << 20

const (
	minLevel = zstd.SpeedFastest
	maxLevel = zstd.SpeedBestCompression
)

// A Pool keeps idle zstd codecs: encoders by level, and decoders. The functions of
// this package use one that is shared by the whole program; a Pool of one's own has
// its own options, bound and name, and belongs to one synctest bubble if need
// be.
//
// The zero Pool is ready for use. It is safe for concurrent use and must not be
// copied after first use. Its fields must not change after first use. Which codecs
// stay, and for how long, is as for [spare.Pool].
type Pool struct {
	// EncoderOptions and DecoderOptions are for dictionaries and the like. The
	// level and a concurrency of 1 come on top of them. An option that is
	// refused makes every Get fail with its error.
	EncoderOptions []zstd.EOption
	DecoderOptions []zstd.DOption

	// MaxWindow bounds the window of streams that are decoded, in bytes. If it is
	// 0, it is DefaultMaxWindow.
	MaxWindow uint64

	// MaxIdle bounds the bytes that idle codecs of one kind hold: the encoders of
	// one level, or the decoders. If it is 0, they are bounded by trimming
	// only.
	MaxIdle int

	// Name is the name under which spare.All lists the codecs.
	Name string

	once     sync.Once
	encoders [maxLevel - minLevel + 1]encoders
	decoders decoders
}

// shared is the pool behind the functions of this package.
var shared = Pool{Name: "zstdpool"}

func (p *Pool) init() {
	for i := range p.encoders {
		level := minLevel + zstd.EncoderLevel(i)
		p.encoders[i].Init(p.Name, p.MaxIdle, func() *encoder { return p.newEncoder(level) })
	}
	p.decoders.Init(p.Name, p.MaxIdle, p.newDecoder)
}

func (p *Pool) newEncoder(level zstd.EncoderLevel) *encoder {
	opts := append(slices.Clip(p.EncoderOptions), zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1))
	e := &encoder{level: level}
	z, err := zstd.NewWriter(nil, opts...)
	if err == nil {
		e.opts = encoderOptionsOf(z)
	}
	e.z = z
	e.Init(z, errs)
	e.Fail(err)
	return e
}

func (p *Pool) newDecoder() *decoder {
	window := p.MaxWindow
	if window == 0 {
		window = DefaultMaxWindow
	}
	opts := append(slices.Clip(p.DecoderOptions),
		zstd.WithDecoderMaxWindow(window),
		zstd.WithDecoderConcurrency(1),
		// This keeps the decoder from reading a bytes.Buffer to its end at once.
		zstd.WithDecodeAllCapLimit(true))
	d := &decoder{base: decoderBase, src: source{maxWindow: window}}
	z, err := zstd.NewReader(nil, opts...)
	d.z = z
	d.Init(z, errs)
	if err != nil {
		d.Fail(err)
	} else if len(p.DecoderOptions) > 0 && z.Reset(&d.src) == nil { // which reads nothing
		d.base += decoderExtra(z)
		z.Reset(nil)
	}
	return d
}

// decoder begins a turn with a decoder.
func (p *Pool) decoder() *lease.Lease[*decoder] {
	p.once.Do(p.init)
	return p.decoders.Get()
}

// encodersOf returns the encoders of a level.
func (p *Pool) encodersOf(level zstd.EncoderLevel) (*encoders, error) {
	p.once.Do(p.init)
	if level < minLevel || level > maxLevel {
		_, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level))
		if err == nil {
			err = fmt.Errorf("zstdpool: unknown encoder level %d", level)
		}
		return nil, err
	}
	return &p.encoders[level-minLevel], nil
}

// Stats returns the sum of the [spare.Stats] of all codecs.
func (p *Pool) Stats() spare.Stats { return lease.Stats(p.encoders[:], &p.decoders) }

// Drain lets every idle codec go. The pool remains usable.
func (p *Pool) Drain() { lease.Drain(p.encoders[:], &p.decoders) }

// Get returns a Writer that compresses to w at zstd.SpeedDefault, in place of
// zstd.NewWriter.
func Get(w io.Writer) *Writer {
	z := new(Writer)
	z.open(&shared, w, zstd.SpeedDefault)
	return z
}

// GetLevel is like Get but with a level, in place of zstd.NewWriter with
// zstd.WithEncoderLevel.
func GetLevel(w io.Writer, level zstd.EncoderLevel) (*Writer, error) {
	return shared.GetLevel(w, level)
}

// GetReader returns a Reader of the zstd stream r, in place of zstd.NewReader. The
// Reader returns an error that wraps ErrTooLarge instead of more than limit bytes.
func GetReader(r io.Reader, limit int64) (*Reader, error) { return shared.GetReader(r, limit) }

// Put gives back the codec of a Writer that may not have been closed: what was
// written since the last Flush may be lost. After Close it does nothing. A nil z is
// ignored.
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

// Get is like the function [Get]. If the pool's EncoderOptions are refused, every
// method of the Writer returns the error.
func (p *Pool) Get(w io.Writer) *Writer {
	z := new(Writer)
	z.open(p, w, zstd.SpeedDefault)
	return z
}

// GetLevel is like the function [GetLevel].
func (p *Pool) GetLevel(w io.Writer, level zstd.EncoderLevel) (*Writer, error) {
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
