// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"compress/gzip"
	"io"
	"sync/atomic"

	"github.com/spare-go/spare/codec/internal/lease"
)

// A Reader decompresses a gzip stream, as a gzip.Reader does. It comes from
// GetReader.
//
// Close gives the codec back. It may be called at any time, by another goroutine or by
// the reader that is being read from, and returns at once: a Read that is under way ends
// as it would have, and the codec goes back then. Otherwise a Reader must not be used
// during another call of its methods; a Read is then refused with an error. It
// must not be copied.
type Reader struct {
	// Header is that of the first member of the stream.
	gzip.Header

	dec    lease.Handle[*decoder]
	pool   *Pool
	limit  int64
	single atomic.Bool // Multistream(false); the codec looks here
}

func (z *Reader) open(p *Pool, r io.Reader, limit int64) error {
	z.dec, z.pool, z.limit = p.decoder().Handle(), p, limit
	return z.begin(z.dec.Enter(), r) // nobody else has the handle yet
}

// begin reads the header of a new stream in the call that has begun, and leaves it. If it
// fails, it gives the codec back.
func (z *Reader) begin(l *lease.Lease[*decoder], r io.Reader) error {
	h := z.dec // r may call Reset
	done := false
	defer func() {
		if done {
			h.Leave()
		} else {
			h.Finish()
		}
	}()
	z.single.Store(false)
	l.Codec.Begin(z.limit)
	if err := l.Codec.from(r, &z.single); err != nil {
		return err
	}
	if !h.Over() {
		z.Header = l.Codec.z.header()
	}
	done = true
	return nil
}

// Read decompresses into p. It returns io.EOF when the stream has ended and its
// checksum is right, and an error that wraps ErrTooLarge if there is more than
// the limit.
func (z *Reader) Read(p []byte) (int, error) {
	l := z.dec.Enter()
	if l == nil {
		return 0, errs.Refused(z.dec.Over())
	}
	defer z.dec.Leave()
	return l.Codec.Read(p)
}

// Multistream controls whether the members of a concatenation are read as one stream,
// which is the default, or end with io.EOF each, as gzip.Reader.Multistream does.
// In the second case, Reset continues with the next one.
func (z *Reader) Multistream(ok bool) { z.single.Store(!ok) }

// Reset makes z read r as a new stream, with the limit anew and multistream
// enabled. It takes a codec from the pool if z has none, or if a call is under way that
// uses it, and gives it back if it returns an error.
func (z *Reader) Reset(r io.Reader) error {
	if z.pool == nil {
		return ErrClosed
	}
	if l := z.dec.Enter(); l != nil {
		if l.Codec.Whole() {
			return z.begin(l, r)
		}
		z.dec.Leave()
	}
	z.dec.End()
	return z.open(z.pool, r, z.limit)
}

// Close gives the codec back. It does not close the underlying reader. As with
// gzip.Reader, the checksum has been verified only if Read returned io.EOF.
// Closing twice is no error.
func (z *Reader) Close() error {
	z.dec.End()
	return nil
}
