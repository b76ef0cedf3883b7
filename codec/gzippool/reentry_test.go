// SPDX-License-Identifier: BSD-3-Clause

package gzippool_test

import (
	"io"
	"testing"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/internal/codectest"
)

// The reader or writer behind a handle may use the handle, and another goroutine may close
// it at any time.
func TestReentry(t *testing.T) {
	for _, b := range []gzippool.Backend{gzippool.Klauspost, gzippool.Standard} {
		t.Run(b.String(), func(t *testing.T) {
			codectest.TestReentry(t, func() codectest.Codec {
				p := &gzippool.Pool{Backend: b}
				return codectest.Codec{
					Writer: func(w io.Writer) codectest.Handle {
						z := p.Get(w)
						return codectest.Handle{
							Write: z.Write, Flush: z.Flush, Close: z.Close, ResetWriter: z.Reset,
							Put: func() { gzippool.Put(z) },
						}
					},
					Reader: func(r io.Reader) (codectest.Handle, error) {
						z, err := p.GetReader(r, gzippool.NoLimit)
						if err != nil {
							return codectest.Handle{}, err
						}
						return codectest.Handle{
							Read: z.Read, Close: z.Close, ResetReader: z.Reset, Multistream: z.Multistream,
							Put: func() { gzippool.PutReader(z) },
						}, nil
					},
					Compress:   func(b []byte) []byte { return p.AppendCompress(nil, b) },
					Decompress: func(b []byte) ([]byte, error) { return p.AppendDecompress(nil, b, gzippool.NoLimit) },
					Stats:      p.Stats,
					Closed:     gzippool.ErrClosed,
				}
			})
		})
	}
}
