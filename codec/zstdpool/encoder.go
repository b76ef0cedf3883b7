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
	now    bool // the frame has more than one block
	blocks bool // there was such a frame
	wasted int  // users in a row without such a frame
}

type (
	encoders = lease.Pool[*encoder]
	decoders = lease.Pool[*decoder]
)

// encoderPatience is as patience for encoders, whose tables cost more to make anew.
const encoderPatience = 32

// Whole reports whether e may serve another user. As with decoders, one goes that does not need a
// large history any more, unless its tables are as large.
func (e *encoder) Whole() bool { return e.z != nil && e.Encoder.Whole() && e.wasted < encoderPatience }

// Forget lets go of what is the user's.
func (e *encoder) Forget() {
	e.Encoder.Forget()
	if e.blocks && !e.now && !e.always() && e.opts.history() > max(usualRing, e.Size()/4*3) {
		e.wasted++
	} else {
		e.wasted = 0
	}
}

// always reports whether e has a history from its first byte on.
func (e *encoder) always() bool { return e.opts.dict || e.level >= zstd.SpeedBetterCompression }

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
	if e.blocks || o.dict || e.most > 0 && e.always() {
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
	e.in, e.now = 0, false
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
	e.in, e.now = 0, false
	e.note(len(src))
	e.Sink.B = dst
	e.z.ResetContentSize(&e.Sink, int64(len(src)))
	return e.Append(src)
}

// note takes account of n bytes that are about to come.
func (e *encoder) note(n int) {
	e.in = min(e.in, e.opts.block) + n
	e.most = max(e.most, min(e.in, e.opts.block))
	if e.in > e.opts.block {
		e.now, e.blocks = true, true
	}
}

// Write compresses p.
func (e *encoder) Write(p []byte) (int, error) {
	e.note(len(p))
	return e.Encoder.Write(p)
}

// Flush writes what was compressed so far, as a block.
func (e *encoder) Flush() error {
	if e.in > 0 {
		e.now, e.blocks = true, true
	}
	return e.Encoder.Flush()
}
