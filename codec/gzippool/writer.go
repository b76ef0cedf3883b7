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
// used by two goroutines at once; that a late one does is no danger to the
// codec's next user.
type Writer struct {
	// Header is written at the first call to Write, Flush or Close.
	gzip.Header

	enc   lease.Handle[*encoder]
	pool  *Pool
	level int
	err   error // of the stream, once the codec was given back
}

func (z *Writer) open(p *Pool, w io.Writer, level int) error {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return err
	}
	l := encoders.Get()
	l.Codec.start(w, nil)
	z.Header = noHeader
	z.enc, z.pool, z.level, z.err = l.Handle(), p, level, nil
	return nil
}

// Write compresses p. Compressed bytes may stay behind until Flush or Close.
func (z *Writer) Write(p []byte) (int, error) {
	l := z.enc.Lock()
	if l == nil {
		return 0, ErrClosed
	}
	defer l.Unlock()
	l.Codec.header(&z.Header)
	return l.Codec.Write(p)
}

// Flush writes all that was compressed so far, as gzip.Writer.Flush does.
func (z *Writer) Flush() error {
	l := z.enc.Lock()
	if l == nil {
		return ErrClosed
	}
	defer l.Unlock()
	l.Codec.header(&z.Header)
	return l.Codec.Flush()
}

// Close writes what is left and the end of the stream, and gives the codec back.
// It does not close the underlying writer. A second Close returns what the
// first did.
func (z *Writer) Close() error {
	l := z.enc.Lock()
	if l == nil {
		return z.err
	}
	defer l.Return() // also if the user's writer panics
	l.Codec.header(&z.Header)
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

// Reset makes z write a new stream to w, at the same level and without the
// header fields, whatever its state. It takes a codec from the pool if z has none.
func (z *Writer) Reset(w io.Writer) {
	l := z.enc.Lock()
	if l != nil && !l.Codec.Panicked() {
		z.Header = noHeader
		z.err = nil
		l.Codec.start(w, nil)
		l.Unlock()
		return
	}
	if l != nil {
		l.Return()
	}
	if z.pool == nil {
		z.pool, z.level = &shared, DefaultCompression
	}
	z.open(z.pool, w, z.level)
}
