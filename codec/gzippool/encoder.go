// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"compress/gzip"
	"io"

	"github.com/spare-go/spare/codec/internal/lease"
)

// An encoder is a compressor that can lie idle without holding on to the writer that
// it served last. gzip.Writer.Reset would let go of it too, but with the
// standard library's default level that clears 640 KiB of tables, and once for each
// use is enough.
type encoder struct {
	lease.Encoder
	z     compressor
	bytes int  // that it holds
	begun bool // the header was set
}

type (
	encoders = lease.Pool[*encoder]
	decoders = lease.Pool[*decoder]
)

func newEncoder(b Backend, level int) *encoder {
	e := &encoder{bytes: encoderSize(b, level)}
	var err error
	if e.z, err = b.newCompressor(level); err != nil {
		panic(err) // the level was looked at
	}
	e.Init(e.z, errs)
	return e
}

// Size is what e holds, or somewhat more. A test compares it with what lives.
func (e *encoder) Size() int { return e.bytes }

func encoderSize(b Backend, level int) int {
	kib := klauspostKiB[level-minLevel]
	if b == Standard {
		kib = 797
		switch level {
		case HuffmanOnly, NoCompression:
			kib = 720
		case BestSpeed:
			kib = 1181
		}
	}
	return kib<<10 + 4<<10 // and the encoder itself
}

// klauspostKiB are the sizes of the levels from minLevel on. The first, of the level
// without state, has none.
var klauspostKiB = [...]int{0, 314, 1059, 347, 802, 1186, 1187, 930, 1058, 1058, 994, 994, 1390}

// start makes e write a new stream to w or, if that is nil, to the end of dst.
func (e *encoder) start(w io.Writer, dst []byte) {
	e.Begin()
	e.Sink = lease.Sink{W: w, B: dst}
	e.z.Reset(&e.Sink)
	e.begun = false
}

// header sets the header if it is not too late.
func (e *encoder) header(h *gzip.Header) {
	if !e.begun && e.Err() == nil {
		e.begun = true
		e.z.setHeader(*h)
	}
}

// Forget lets go of what is the user's.
func (e *encoder) Forget() {
	e.Encoder.Forget()
	if e.begun {
		e.z.setHeader(noHeader)
	}
}

// noHeader is that of gzip.NewWriter and of the one-call forms: OS is unknown.
var noHeader = gzip.Header{OS: 255}
