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
// Close finishes the stream and gives the codec back. A Writer must not be
// used during another call of its methods, be it by another goroutine or by the
// writer behind it; such a call is refused with an error. Close and Put may be, and return
// at once: the stream remains cut off, and the codec goes back when the call ends. A
// Writer must not be copied.
type Writer struct {
	enc    lease.Handle[*encoder]
	result lease.Result // of Close, or of an option that was refused
}

func (z *Writer) open(p *Pool, w io.Writer, level zstd.EncoderLevel) error {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return err
	}
	l := encoders.Get()
	if err := l.Codec.start(w); err != nil {
		l.Return()
		z.result.Set(err)
		return err
	}
	z.enc = l.Handle()
	return nil
}

// refused returns the error for a call that cannot begin.
func (z *Writer) refused() error {
	if err := z.result.Get(); err != nil && z.enc == (lease.Handle[*encoder]{}) {
		return err // the options were refused
	}
	return errs.Refused(z.enc.Over())
}

// Write compresses p. Compressed bytes may stay behind until Flush or Close.
func (z *Writer) Write(p []byte) (int, error) {
	l := z.enc.Enter()
	if l == nil {
		return 0, z.refused()
	}
	defer z.enc.Leave()
	n, err := l.Codec.Write(p)
	if err == nil && z.enc.Over() {
		err = ErrClosed
	}
	return n, err
}

// Flush writes all that was compressed so far.
func (z *Writer) Flush() error {
	l := z.enc.Enter()
	if l == nil {
		return z.refused()
	}
	defer z.enc.Leave()
	err := l.Codec.Flush()
	if err == nil && z.enc.Over() {
		err = ErrClosed
	}
	return err
}

// Close writes what is left and the end of the frame, and gives the codec back. It
// does not close the underlying writer. Nothing is written for an empty stream,
// unless EncoderOptions ask for it. A second Close returns what the first did. During
// another call, Close writes nothing and returns an error.
func (z *Writer) Close() error {
	l := z.enc.Enter()
	if l == nil {
		if z.enc.End() {
			z.result.Set(errs.Busy)
		}
		return z.result.Get()
	}
	defer z.enc.Finish()
	ended := z.enc.End() // the user's writer finds z closed
	err := errs.Panicked
	defer func() {
		if ended {
			z.result.Set(err)
		}
	}()
	err = l.Codec.Close()
	return err
}

// release gives the codec back without finishing the stream.
func (z *Writer) release() {
	if z.enc.End() {
		z.result.Set(ErrClosed)
	}
}
