// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/lease"
)

type encoder struct {
	lease.Encoder
	z     *zstd.Encoder // nil if an option was refused
	level zstd.EncoderLevel
}

type (
	encoders = lease.Pool[*encoder]
	decoders = lease.Pool[*decoder]
)

// Whole reports whether e may serve another user.
func (e *encoder) Whole() bool { return e.z != nil && e.Encoder.Whole() }

// Size is about what e holds. A test compares it with what one allocates.
func (e *encoder) Size() int { return encoderKiB[e.level-minLevel] << 10 }

// encoderKiB are about the sizes of the encoders of each level that have
// compressed more than a block.
var encoderKiB = [...]int{9056, 18824, 21502, 52153}

// start makes e write a new frame to w. It returns the error of a refused
// option.
func (e *encoder) start(w io.Writer) error {
	if e.z == nil {
		return e.Err()
	}
	e.Begin()
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
	e.Sink.B = dst
	e.z.ResetContentSize(&e.Sink, int64(len(src)))
	return e.Append(src)
}
