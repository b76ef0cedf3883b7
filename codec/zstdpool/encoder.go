// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/lease"
)

type encoder struct {
	lease.Encoder
	z      *zstd.Encoder // nil if an option was refused
	level  zstd.EncoderLevel
	window int  // what it may look back
	block  int  // the most that a block holds
	in     int  // bytes of the frame so far
	blocks bool // there was a frame of more than one block
}

type (
	encoders = lease.Pool[*encoder]
	decoders = lease.Pool[*decoder]
)

// Whole reports whether e may serve another user.
func (e *encoder) Whole() bool { return e.z != nil && e.Encoder.Whole() }

// Size is about what e holds: tables, and a history of twice the window once there was a frame of
// more than one block. The two higher levels always have the history. With zstd.WithLowerEncoderMem,
// which is not to be seen from outside, it may be half of that. A test compares it with what lives.
func (e *encoder) Size() int {
	n := tableKiB[e.level-minLevel] << 10
	if e.blocks || e.level >= zstd.SpeedBetterCompression {
		n += max(2*e.window, 512<<10)
	}
	return n
}

// tableKiB are the tables and buffers of each level, windowKiB the windows unless there is an option.
var (
	tableKiB  = [...]int{640, 1720, 4610, 35270}
	windowKiB = [...]int{4 << 10, 8 << 10, 8 << 10, 8 << 10}
)

// windowOf returns the window that options ask for, or 0.
func windowOf(opts []zstd.EOption) int {
	if len(opts) == 0 {
		return 0
	}
	// The header of a frame of unknown length tells.
	var head lease.Sink
	opts = append(slices.Clip(opts), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	z, err := zstd.NewWriter(&head, opts...)
	if err != nil {
		return 0
	}
	z.Write([]byte{0})
	z.Flush()
	var h zstd.Header
	if h.Decode(head.B) != nil || h.WindowSize == uint64(windowKiB[0])<<10 {
		return 0
	}
	return int(h.WindowSize)
}

// start makes e write a new frame to w. It returns the error of a refused
// option.
func (e *encoder) start(w io.Writer) error {
	if e.z == nil {
		return e.Err()
	}
	e.Begin()
	e.in = 0
	e.Sink.W = w
	e.z.Reset(&e.Sink)
	return nil
}

// appendFrame appends src to dst as one frame that says its length. EncodeAll would do, too, but
// with tables of its own beside those for streams.
func (e *encoder) appendFrame(dst, src []byte) ([]byte, error) {
	if e.z == nil {
		return dst, e.Err()
	}
	e.Begin()
	e.blocks = e.blocks || len(src) > e.block
	e.Sink.B = dst
	e.z.ResetContentSize(&e.Sink, int64(len(src)))
	return e.Append(src)
}

// Write compresses p.
func (e *encoder) Write(p []byte) (int, error) {
	if e.in = min(e.in, e.block) + len(p); e.in > e.block {
		e.blocks = true
	}
	return e.Encoder.Write(p)
}

// Flush writes what was compressed so far, as a block.
func (e *encoder) Flush() error {
	e.blocks = true
	return e.Encoder.Flush()
}
