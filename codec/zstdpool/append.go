// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/lease"
)

// AppendCompress appends src to dst as one zstd frame and returns the extended
// slice. It compresses at zstd.SpeedDefault. Nothing is appended for an empty src.
// dst and src must not overlap.
func AppendCompress(dst, src []byte) []byte {
	dst, err := shared.AppendCompressLevel(dst, src, zstd.SpeedDefault)
	if err != nil {
		panic(err) // the shared pool has no options to refuse
	}
	return dst
}

// AppendCompressLevel is like AppendCompress with a level. On error it returns dst as
// it is.
func AppendCompressLevel(dst, src []byte, level zstd.EncoderLevel) ([]byte, error) {
	return shared.AppendCompressLevel(dst, src, level)
}

// AppendDecompress appends what the zstd frames in src hold to dst and returns the
// extended slice. If that would append more than limit bytes, the error wraps
// ErrTooLarge. On error dst comes back with the length that it had; bytes beyond may have
// been written. Empty input is an empty result, as the zstd package has it. dst and
// src must not overlap.
func AppendDecompress(dst, src []byte, limit int64) ([]byte, error) {
	return shared.AppendDecompress(dst, src, limit)
}

// Compress copies src to dst as one zstd frame and returns the number of bytes
// read from src. It closes neither.
func Compress(dst io.Writer, src io.Reader) (int64, error) { return shared.Compress(dst, src) }

// Decompress copies what the zstd stream src holds to dst and returns the number of
// bytes written. If there are more than limit, it writes no more than these and
// returns an error that wraps ErrTooLarge. It closes neither.
func Decompress(dst io.Writer, src io.Reader, limit int64) (int64, error) {
	return shared.Decompress(dst, src, limit)
}

// AppendCompressLevel is like the function [AppendCompressLevel].
func (p *Pool) AppendCompressLevel(dst, src []byte, level zstd.EncoderLevel) ([]byte, error) {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return dst, err
	}
	l := encoders.Get()
	out, err := l.Codec.appendFrame(dst, src)
	l.Return()
	if err != nil {
		return dst, err
	}
	return out, nil
}

// AppendDecompress is like the function [AppendDecompress].
func (p *Pool) AppendDecompress(dst, src []byte, limit int64) ([]byte, error) {
	l := p.decoder()
	out, err := l.Codec.appendFrames(dst, src, limit)
	l.Return()
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Compress is like the function [Compress].
func (p *Pool) Compress(dst io.Writer, src io.Reader) (int64, error) {
	encoders, err := p.encodersOf(zstd.SpeedDefault)
	if err != nil {
		return 0, err
	}
	l := encoders.Get()
	defer l.Return()
	if err := l.Codec.start(dst); err != nil {
		return 0, err
	}
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
	if err := l.Codec.start(src, nil, limit); err != nil {
		return 0, err
	}
	return lease.Copy(dst, l.Codec)
}
