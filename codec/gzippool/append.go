// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/spare-go/spare/codec/internal/lease"
)

// AppendCompress appends src to dst as one gzip stream and returns the extended
// slice. It compresses at the default level. dst and src must not overlap.
func AppendCompress(dst, src []byte) []byte { return shared.AppendCompress(dst, src) }

// AppendCompressLevel is like AppendCompress with a compression level. If the level does
// not exist, it returns dst as it is and the backend's error.
func AppendCompressLevel(dst, src []byte, level int) ([]byte, error) {
	return shared.AppendCompressLevel(dst, src, level)
}

// AppendDecompress appends what the gzip stream src holds to dst and returns the
// extended slice. src may be a concatenation of streams. If that would append more than
// limit bytes, the error wraps ErrTooLarge. On error dst comes back with the length
// that it had; bytes beyond may have been written. Empty input is io.EOF, as
// gzip.NewReader has it. dst and src must not overlap.
func AppendDecompress(dst, src []byte, limit int64) ([]byte, error) {
	return shared.AppendDecompress(dst, src, limit)
}

// Compress copies src to dst as one gzip stream at the default level and returns
// the number of bytes read from src. It closes neither.
func Compress(dst io.Writer, src io.Reader) (int64, error) { return shared.Compress(dst, src) }

// Decompress copies what the gzip stream src holds to dst and returns the number of bytes
// written. If there are more than limit, it writes no more than these and
// returns an error that wraps ErrTooLarge. It closes neither.
func Decompress(dst io.Writer, src io.Reader, limit int64) (int64, error) {
	return shared.Decompress(dst, src, limit)
}

// AppendCompress is like the function [AppendCompress].
func (p *Pool) AppendCompress(dst, src []byte) []byte {
	dst, err := p.AppendCompressLevel(dst, src, DefaultCompression)
	if err != nil {
		panic(err) // memory does not fail
	}
	return dst
}

// AppendCompressLevel is like the function [AppendCompressLevel].
func (p *Pool) AppendCompressLevel(dst, src []byte, level int) ([]byte, error) {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return dst, err
	}
	l := encoders.Get()
	e := l.Codec
	e.start(nil, slices.Grow(dst, compressedSize(len(src))))
	e.header(&noHeader)
	out, err := e.Append(src)
	l.Return()
	if err != nil {
		return dst, err
	}
	return out, nil
}

// compressedSize estimates what n bytes compress to: all that there can be if it is
// little, and a fair share of the rest.
func compressedSize(n int) int {
	const frame = 10 + 8 + 2*5 // header, trailer, and headers of two stored blocks
	return frame + min(n, 1<<10) + max(n-1<<10, 0)/4
}

// AppendDecompress is like the function [AppendDecompress].
func (p *Pool) AppendDecompress(dst, src []byte, limit int64) ([]byte, error) {
	l := p.decoder()
	l.Codec.Begin(limit)
	out, err := l.Codec.appendBytes(dst, src)
	l.Return()
	if err != nil {
		return dst, err
	}
	return out, nil
}

func (d *decoder) appendBytes(dst, src []byte) ([]byte, error) {
	if err := d.fromBytes(src); err != nil {
		return dst, err
	}
	return d.AppendTo(slices.Grow(dst, d.decompressedSize(src)))
}

// mostAtOnce is the largest room to make for what is only claimed to come.
const mostAtOnce = 1 << 30

// decompressedSize estimates what src holds. The last word of the stream says so, but
// whoever made it may lie: it is believed as far as ordinary data go.
func (d *decoder) decompressedSize(src []byte) int {
	if len(src) < 18 {
		return 0
	}
	n := int64(binary.LittleEndian.Uint32(src[len(src)-4:]))
	return int(min(n, d.Left(), 16*int64(len(src)), mostAtOnce))
}

// Compress is like the function [Compress].
func (p *Pool) Compress(dst io.Writer, src io.Reader) (int64, error) {
	encoders, err := p.encodersOf(DefaultCompression)
	if err != nil {
		return 0, err
	}
	l := encoders.Get()
	defer l.Return()
	l.Codec.start(dst, nil)
	l.Codec.header(&noHeader)
	n, err := lease.Copy(l.Codec, src)
	if err != nil {
		return n, err
	}
	return n, l.Codec.Close()
}

// Decompress is like the function [Decompress].
func (p *Pool) Decompress(dst io.Writer, src io.Reader, limit int64) (int64, error) {
	l := p.decoder()
	defer l.Return()
	l.Codec.Begin(limit)
	if err := l.Codec.from(src, nil); err != nil {
		return 0, err
	}
	return lease.Copy(dst, l.Codec)
}
