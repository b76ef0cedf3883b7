// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/lease"
)

type encoder struct {
	lease.Encoder
	z      *zstd.Encoder // nil if an option was refused
	level  zstd.EncoderLevel
	opts   encoderOptions
	in     int  // bytes of the frame so far, up to those of a block and the last Write
	most   int  // bytes of the largest block so far
	blocks bool // there was a frame of more than one block
}

type (
	encoders = lease.Pool[*encoder]
	decoders = lease.Pool[*decoder]
)

// Whole reports whether e may serve another user.
func (e *encoder) Whole() bool { return e.z != nil && e.Encoder.Whole() }

// Size is what e holds, or somewhat more: tables, the block that it collects, what it makes
// of a block, and a history once there was a frame of more than one. The two higher
// levels have the history from the first byte on, and all levels have it with a
// dictionary, for which they keep a second set of tables. Tests compare it with what lives.
func (e *encoder) Size() int {
	o := &e.opts
	n := tableKiB[e.level-minLevel]<<10 + o.block + o.own
	made := 6 * e.most // sequences, and literals at two stages
	if o.lowMem {
		made += 2 * e.most
	} else {
		n += 2 * maxBlock // with room for any literals and output from the start
	}
	if o.dict {
		n += tableKiB[e.level-minLevel] << 10
	}
	if e.blocks || o.dict || e.most > 0 && e.level >= zstd.SpeedBetterCompression {
		n += o.history()
	}
	return n + made
}

// history returns the bytes of the history, as the library makes it.
func (o *encoderOptions) history() int {
	n := o.window + max(o.window, maxBlock)
	if o.lowMem {
		n = o.window + maxBlock
	} else {
		n = max(n, 1<<20)
	}
	return allocated(max(n, o.contents+maxBlock))
}

// tableKiB are the tables of each level, and what else does not depend on options.
var tableKiB = [...]int{340, 1430, 4320, 34980}

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
	e.in = 0
	e.note(len(src))
	e.Sink.B = dst
	e.z.ResetContentSize(&e.Sink, int64(len(src)))
	return e.Append(src)
}

// note takes account of n bytes that are about to come.
func (e *encoder) note(n int) {
	e.in = min(e.in, e.opts.block) + n
	e.most = max(e.most, min(e.in, e.opts.block))
	e.blocks = e.blocks || e.in > e.opts.block
}

// Write compresses p.
func (e *encoder) Write(p []byte) (int, error) {
	e.note(len(p))
	return e.Encoder.Write(p)
}

// Flush writes what was compressed so far, as a block.
func (e *encoder) Flush() error {
	e.blocks = e.blocks || e.in > 0
	return e.Encoder.Flush()
}
