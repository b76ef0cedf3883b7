// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/lease"
)

// A Writer compresses what is written to it, as a zstd.Encoder does. It comes from
// Get or GetLevel.
//
// Close finishes the stream and gives the codec back. A Writer must not be used by
// two goroutines at once; that a late one does is no danger to the codec's
// next user.
type Writer struct {
	enc lease.Handle[*encoder]
	err error // of the stream, once the codec was given back
}

func (z *Writer) open(p *Pool, w io.Writer, level zstd.EncoderLevel) error {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return err
	}
	l := encoders.Get()
	if z.err = l.Codec.start(w); z.err != nil {
		l.End()
		return z.err
	}
	z.enc = l.Handle()
	return nil
}

// over returns the error for use without a codec.
func (z *Writer) over() error {
	if z.enc == (lease.Handle[*encoder]{}) && z.err != nil {
		return z.err // the options were refused
	}
	return ErrClosed
}

// Write compresses p. Compressed bytes may stay behind until Flush or Close.
func (z *Writer) Write(p []byte) (int, error) {
	l := z.enc.Lock()
	if l == nil {
		return 0, z.over()
	}
	defer l.Unlock()
	return l.Codec.Write(p)
}

// Flush writes all that was compressed so far.
func (z *Writer) Flush() error {
	l := z.enc.Lock()
	if l == nil {
		return z.over()
	}
	defer l.Unlock()
	return l.Codec.Flush()
}

// Close writes what is left and the end of the frame, and gives the codec back. It
// does not close the underlying writer. Nothing is written for an empty stream,
// unless EncoderOptions ask for it. A second Close returns what the first did.
func (z *Writer) Close() error {
	l := z.enc.Lock()
	if l == nil {
		return z.err
	}
	defer l.Return() // also if the user's writer panics
	z.err = errs.Panicked
	z.err = l.Codec.Close()
	return z.err
}

// release gives the codec back without finishing the stream.
func (z *Writer) release() {
	if l := z.enc.Lock(); l != nil {
		z.err = ErrClosed
		l.Return()
	}
}
