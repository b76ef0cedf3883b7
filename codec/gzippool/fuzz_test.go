// SPDX-License-Identifier: BSD-3-Clause

package gzippool_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"

	"github.com/spare-go/spare/codec/gzippool"
)

// Both backends give what the standard library's new reader gives, from any bytes.
// Which error comes first of two may differ.
func FuzzDecompress(f *testing.F) {
	f.Add(gzipped([]byte("contents")), 100)
	f.Add(append(gzipped([]byte("one")), gzipped([]byte("two"))...), 5)
	f.Add([]byte{}, 0)
	f.Add(gzipped(make([]byte, 5000)), 4999)
	f.Add([]byte("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xffname without an end"), 1)
	pools := []*gzippool.Pool{{}, {Backend: gzippool.Standard}}
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit &= 1<<20 - 1
		var want []byte
		z, wantErr := gzip.NewReader(bytes.NewReader(in))
		if wantErr == nil {
			want, wantErr = io.ReadAll(io.LimitReader(z, int64(limit)+1))
			if wantErr == nil && len(want) > limit {
				wantErr = gzippool.ErrTooLarge
			}
		}
		for _, p := range pools {
			got, err := p.AppendDecompress(nil, in, int64(limit))
			streamed, streamErr := readAll(p, struct{ io.Reader }{bytes.NewReader(in)}, int64(limit))
			switch {
			case errors.Is(err, gzip.ErrHeader) && p.Backend == gzippool.Klauspost:
				// It refuses reserved flags.
			case (err == nil) != (wantErr == nil), err == nil && !bytes.Equal(got, want):
				t.Errorf("%v: %d bytes, %v; want %d bytes, %v", p.Backend, len(got), err, len(want), wantErr)
			case len(got) > limit, len(streamed) > limit:
				t.Errorf("%v: more than the limit of %d: %d, %d", p.Backend, limit, len(got), len(streamed))
			}
			if (err == nil) != (streamErr == nil) || err == nil && !bytes.Equal(got, streamed) {
				t.Errorf("%v: as a stream %d bytes, %v; in memory %d bytes, %v", p.Backend, len(streamed), streamErr, len(got), err)
			}
		}
	})
}

// FuzzRoundTrip compresses any bytes at any level, in one call and in two writes, with both backends, and wants them back from the standard library and from its own readers.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some text some text some text"), -1, 3)
	f.Add([]byte{}, 9, 0)
	pools := []*gzippool.Pool{{}, {Backend: gzippool.Standard}}
	f.Fuzz(func(t *testing.T, data []byte, level, cut int) {
		for _, p := range pools {
			out, err := p.AppendCompressLevel(nil, data, level)
			if err != nil {
				return
			}
			plain, err := gzip.NewReader(bytes.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if in, err := io.ReadAll(plain); err != nil || !bytes.Equal(in, data) {
				t.Fatalf("%v level %d: the standard library reads %d bytes of %d, %v", p.Backend, level, len(in), len(data), err)
			}
			var b bytes.Buffer
			z, err := p.GetLevel(&b, level)
			if err != nil {
				t.Fatal(err)
			}
			cut = min(max(cut, 0), len(data))
			z.Write(data[:cut])
			z.Flush()
			z.Write(data[cut:])
			z.Close()
			if in, err := p.AppendDecompress(nil, b.Bytes(), int64(len(data))); err != nil || !bytes.Equal(in, data) {
				t.Fatalf("%v level %d: %d bytes of %d, %v", p.Backend, level, len(in), len(data), err)
			}
		}
	})
}
