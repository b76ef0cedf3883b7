// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"

	"github.com/spare-go/spare/codec/internal/lease"
)

// A Reader decompresses a zstd stream, as a zstd.Decoder does. It comes from
// GetReader.
//
// Close gives the codec back. A Reader may be closed while another goroutine reads from
// it: Close waits for that Read.
type Reader struct{ dec lease.Handle[*decoder] }

func (z *Reader) open(p *Pool, r io.Reader, limit int64) error {
	l := p.decoder()
	if err := l.Codec.start(source{r: r}, limit); err != nil {
		l.End()
		return err
	}
	z.dec = l.Handle()
	return nil
}

// Read decompresses into p. It returns an error that wraps ErrTooLarge if there
// is more than the limit.
func (z *Reader) Read(p []byte) (int, error) {
	l := z.dec.Lock()
	if l == nil {
		return 0, ErrClosed
	}
	defer l.Unlock()
	return l.Codec.Read(p)
}

// Close gives the codec back. It does not close the underlying reader. Closing twice
// is no error.
func (z *Reader) Close() error {
	if l := z.dec.Lock(); l != nil {
		l.Return()
	}
	return nil
}
