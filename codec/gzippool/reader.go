// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"compress/gzip"
	"io"

	"github.com/spare-go/spare/codec/internal/lease"
)

// A Reader decompresses a gzip stream, as a gzip.Reader does. It comes from
// GetReader.
//
// Close gives the codec back. Unlike a gzip.Reader, a Reader may be closed while
// another goroutine reads from it: Close waits for that Read.
type Reader struct {
	// Header is that of the first member of the stream.
	gzip.Header

	dec   lease.Handle[*decoder]
	pool  *Pool
	limit int64
}

func (z *Reader) open(p *Pool, r io.Reader, limit int64) error {
	l := p.decoder()
	z.dec, z.pool, z.limit = l.Handle(), p, limit
	l = z.dec.Lock() // always the same; the reader may panic, and Close come then
	return z.begin(l, r)
}

// begin reads the header of a new stream, and unlocks or, if that fails, gives the
// codec back.
func (z *Reader) begin(l *lease.Lease[*decoder], r io.Reader) error {
	done := false
	defer func() {
		if !done {
			l.Return()
		}
	}()
	l.Codec.Begin(z.limit)
	if err := l.Codec.from(r); err != nil {
		return err
	}
	z.Header = l.Codec.z.header()
	done = true
	l.Unlock()
	return nil
}

// Read decompresses into p. It returns io.EOF when the stream has ended and its
// checksum is right, and an error that wraps ErrTooLarge if there is more than
// the limit.
func (z *Reader) Read(p []byte) (int, error) {
	l := z.dec.Lock()
	if l == nil {
		return 0, ErrClosed
	}
	defer l.Unlock()
	return l.Codec.Read(p)
}

// Multistream controls whether the members of a concatenation are read as one stream,
// which is the default, or end with io.EOF each, as gzip.Reader.Multistream does.
// In the second case, Reset continues with the next one.
func (z *Reader) Multistream(ok bool) {
	if l := z.dec.Lock(); l != nil {
		l.Codec.single = !ok
		l.Unlock()
	}
}

// Reset makes z read r as a new stream, with the limit anew and multistream
// enabled. It takes a codec from the pool if z has none, and gives it back
// if it returns an error.
func (z *Reader) Reset(r io.Reader) error {
	if z.pool == nil {
		return ErrClosed
	}
	l := z.dec.Lock()
	if l != nil && l.Codec.Whole() {
		return z.begin(l, r)
	}
	if l != nil {
		l.Return()
	}
	return z.open(z.pool, r, z.limit)
}

// Close gives the codec back. It does not close the underlying reader. As with
// gzip.Reader, the checksum has been verified only if Read returned io.EOF.
// Closing twice is no error.
func (z *Reader) Close() error {
	if l := z.dec.Lock(); l != nil {
		l.Return()
	}
	return nil
}
