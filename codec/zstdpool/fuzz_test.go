// SPDX-License-Identifier: BSD-3-Clause

package zstdpool_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/zstdpool"
)

// From any bytes come what the library's own decoder gives, and its errors.
func FuzzDecompress(f *testing.F) {
	f.Add(plainCompress(f, []byte("contents"), true), 100)
	f.Add(plainCompress(f, make([]byte, 5000), false), 4999)
	f.Add([]byte{}, 0)
	one, two := plainCompress(f, []byte("one"), true), plainCompress(f, []byte("two"), false)
	f.Add(append(bytes.Clone(one), two...), 6)                              // frames behind each other
	f.Add(append([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), one...), 3) // a frame to skip
	f.Add(append(bytes.Clone(one), "garbage"...), 3)
	f.Add(two[:len(two)-1], 3)
	f.Add([]byte("\x28\xb5\x2f\xfd\x00\xff"), 1)                                             // a window of terabytes
	f.Add([]byte("\x28\xb5\x2f\xfd\x20\x05\x2b\x00\x00x"), 5)                                // a block of one byte, five times
	f.Add([]byte("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x00\x00"), 1<<19) // a length that is a lie
	f.Add(plainCompress(f, codectest.Text(1, 300000), false, zstd.WithWindowSize(1<<10)), 1<<20-1)
	// Windows that are larger than the limit and a block, which the pool makes smaller.
	for _, limit := range []int{0, 5, 1000, 3000} {
		f.Add(plainCompress(f, codectest.Text(1, 3000), false, zstd.WithWindowSize(8<<20)), limit)
		f.Add(plainCompress(f, make([]byte, 600<<10), true), limit)
	}
	p := &zstdpool.Pool{MaxWindow: 8 << 20}
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit &= 1<<20 - 1
		z, err := zstd.NewReader(bytes.NewReader(in), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := io.ReadAll(io.LimitReader(z, int64(limit)+1))
		z.Close()
		if wantErr == nil && len(want) > limit {
			wantErr = zstdpool.ErrTooLarge
		}
		got, err := p.AppendDecompress(nil, in, int64(limit))
		streamed, streamErr := readAll(p, struct{ io.Reader }{bytes.NewReader(in)}, int64(limit))
		if (err == nil) != (wantErr == nil) || (streamErr == nil) != (wantErr == nil) {
			t.Errorf("%v and %v, want %v", err, streamErr, wantErr)
		}
		if wantErr != nil && streamErr != nil && !errors.Is(streamErr, wantErr) && streamErr.Error() != wantErr.Error() {
			t.Errorf("%v, want %v", streamErr, wantErr)
		}
		want = want[:min(len(want), limit)]
		if wantErr == nil && !bytes.Equal(got, want) || !bytes.Equal(streamed, want) || len(got) > limit {
			t.Errorf("%d and %d bytes, want %d of at most %d", len(got), len(streamed), len(want), limit)
		}
	})
}
