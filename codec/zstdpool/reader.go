// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"

	"github.com/spare-go/spare/codec/internal/lease"
)

// A Reader decompresses a zstd stream, as a zstd.Decoder does. It comes from
// GetReader.
//
// Close gives the codec back. It may be called at any time, by another goroutine or by
// the reader that is being read from, and returns at once: a Read that is under way ends
// as it would have, and the codec goes back then. A Read during another Read is refused
// with an error.
type Reader struct{ dec lease.Handle[*decoder] }

func (z *Reader) open(p *Pool, r io.Reader, limit int64) error {
	l := p.decoder()
	if err := l.Codec.start(r, nil, limit); err != nil {
		l.Return()
		return err
	}
	z.dec = l.Handle()
	return nil
}

// Read decompresses into p. It returns an error that wraps ErrTooLarge if there
// is more than the limit.
func (z *Reader) Read(p []byte) (int, error) {
	l := z.dec.Enter()
	if l == nil {
		return 0, errs.Refused(z.dec.Over())
	}
	defer z.dec.Leave()
	return l.Codec.Read(p)
}

// Close gives the codec back. It does not close the underlying reader. Closing twice
// is no error.
func (z *Reader) Close() error {
	z.dec.End()
	return nil
}
