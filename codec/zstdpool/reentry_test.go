// SPDX-License-Identifier: BSD-3-Clause

package zstdpool_test

import (
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/zstdpool"
)

// The reader or writer behind a handle may use the handle, and another goroutine may close
// it at any time.
func TestReentry(t *testing.T) {
	codectest.TestReentry(t, func() codectest.Codec {
		p := new(zstdpool.Pool)
		return codectest.Codec{
			Writer: func(w io.Writer) codectest.Handle {
				z := p.Get(w)
				return codectest.Handle{
					Write: z.Write, Flush: z.Flush, Close: z.Close,
					Put: func() { zstdpool.Put(z) },
				}
			},
			Reader: func(r io.Reader) (codectest.Handle, error) {
				z, err := p.GetReader(r, zstdpool.NoLimit)
				if err != nil {
					return codectest.Handle{}, err
				}
				return codectest.Handle{
					Read: z.Read, Close: z.Close,
					Put: func() { zstdpool.PutReader(z) },
				}, nil
			},
			Compress: func(b []byte) []byte {
				out, err := p.AppendCompressLevel(nil, b, zstd.SpeedDefault)
				if err != nil {
					t.Error(err)
				}
				return out
			},
			Decompress: func(b []byte) ([]byte, error) { return p.AppendDecompress(nil, b, zstdpool.NoLimit) },
			Stats:      p.Stats,
			Closed:     zstdpool.ErrClosed,
		}
	})
}
