// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"compress/gzip"
	"io"

	"github.com/spare-go/spare/codec/internal/lease"
)

// A Writer compresses what is written to it, as a gzip.Writer does. It comes from
// Get or GetLevel.
//
// Close finishes the stream and gives the codec back. A Writer must not be
// used during another call of its methods, be it by another goroutine or by the
// writer behind it; such a call is refused with an error. Close and Put may be, and return
// at once: the stream remains cut off, and the codec goes back when the call ends. A
// Writer must not be copied.
type Writer struct {
	// Header is written at the first call to Write, Flush or Close.
	gzip.Header

	enc    lease.Handle[*encoder]
	pool   *Pool
	level  int
	result lease.Result // of Close
}

func (z *Writer) open(p *Pool, w io.Writer, level int) error {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return err
	}
	l := encoders.Get()
	l.Codec.start(w, nil)
	z.Header = noHeader
	z.enc, z.pool, z.level = l.Handle(), p, level
	z.result.Clear()
	return nil
}

// Write compresses p. Compressed bytes may stay behind until Flush or Close.
func (z *Writer) Write(p []byte) (int, error) {
	h := z.enc // the user's writer may call Reset
	l := h.Enter()
	if l == nil {
		return 0, errs.Refused(h.Over())
	}
	defer h.Leave()
	l.Codec.header(&z.Header)
	n, err := l.Codec.Write(p)
	if err == nil && h.Over() {
		err = ErrClosed
	}
	return n, err
}

// Flush writes all that was compressed so far, as gzip.Writer.Flush does.
func (z *Writer) Flush() error {
	h := z.enc
	l := h.Enter()
	if l == nil {
		return errs.Refused(h.Over())
	}
	defer h.Leave()
	l.Codec.header(&z.Header)
	err := l.Codec.Flush()
	if err == nil && h.Over() {
		err = ErrClosed
	}
	return err
}

// Close writes what is left and the end of the stream, and gives the codec back.
// It does not close the underlying writer. A second Close returns what the
// first did. During another call, Close writes nothing and returns an error.
func (z *Writer) Close() error {
	h := z.enc
	l := h.Enter()
	if l == nil {
		if h.End() {
			z.result.Set(errs.Busy)
		}
		return z.result.Get()
	}
	defer h.Finish()
	ended := h.End() // the user's writer finds z closed, as that of a gzip.Writer does
	l.Codec.header(&z.Header)
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

// Reset makes z write a new stream to w, at the same level and without the
// header fields, whatever its state. It takes a codec from the pool if z has none, or if
// a call is under way that uses it.
func (z *Writer) Reset(w io.Writer) {
	if l := z.enc.Enter(); l != nil {
		again := !l.Codec.Panicked()
		if again {
			l.Codec.start(w, nil)
			z.Header = noHeader
			z.result.Clear()
		}
		z.enc.Leave()
		if again {
			return
		}
	}
	z.enc.End()
	if z.pool == nil {
		z.pool, z.level = &shared, DefaultCompression
	}
	z.open(z.pool, w, z.level)
}
