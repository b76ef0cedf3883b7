// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/lease"
)

type decoder struct {
	lease.Decoder
	z      *zstd.Decoder // nil if an option was refused
	src    source
	base   int // bytes that it holds beside what src knows
	wasted int // streams in a row that needed far less than it holds
}

// decoderBase is what a decoder holds beside what depends on the frames: itself, and tables of the last
// block.
const decoderBase = 44 << 10

const (
	// A history of up to this size is not worth making anew.
	usualRing = 1 << 20
	// patience is how many streams in a row may need less than a quarter of a larger one
	// before it goes.
	patience = 8
)

// Whole reports whether d may serve another user. One that was once large, and does not
// need it any more, goes: a decoder without its history is cheap.
func (d *decoder) Whole() bool { return d.Decoder.Whole() && d.wasted < patience }

// Size is what d holds, or somewhat more. Tests compare it with what lives.
func (d *decoder) Size() int { return d.base + d.src.size }

// start makes d read a stream from r or, if that is nil, from b, of at most limit bytes. It
// returns the error of a refused option.
func (d *decoder) start(r io.Reader, b []byte, limit int64) error {
	if d.z == nil {
		return d.Err()
	}
	d.Begin(limit)
	d.src.begin(r, b, d.Limit())
	d.Enter()
	err := d.z.Reset(&d.src)
	d.Leave(err)
	return err
}

// appendFrames appends to dst what src holds. It does not use DecodeAll, whose decoder goes on
// referring to src and dst.
func (d *decoder) appendFrames(dst, src []byte, limit int64) ([]byte, error) {
	if err := d.start(nil, src, limit); err != nil {
		return dst, err
	}
	var h zstd.Header
	if h.Decode(src) == nil && h.HasFCS {
		if h.FrameContentSize > uint64(d.Limit()) {
			return dst, d.TooLarge()
		}
		// The length is believed as far as ordinary data go.
		most := max(64<<10, 64*uint64(len(src)))
		dst = slices.Grow(dst, int(min(h.FrameContentSize, most, mostAtOnce)))
	}
	return d.AppendTo(dst)
}

// mostAtOnce is the largest room to make for what is only claimed to come.
const mostAtOnce = 1 << 30

// Forget lets go of what is the user's.
func (d *decoder) Forget() {
	if held := d.src.held.ring; held > usualRing && d.src.ring < held/4 {
		d.wasted++
	} else {
		d.wasted = 0
	}
	d.src.begin(nil, nil, 0)
	if d.Decoder.Whole() {
		if err := d.z.Reset(nil); err != nil {
			d.Fail(err)
		}
	}
}
