// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare"
)

// AppendCompress appends src to dst as one zstd frame and returns the extended
// slice. It compresses at zstd.SpeedDefault. Nothing is appended for an empty src.
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
// been written. Empty input is an empty result, as the zstd package has it.
func AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
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
	e := encoders.Get().encoder
	if e.z == nil {
		err := e.err
		encoders.Put(e.slot)
		return dst, err
	}
	// As one frame that says its length. EncodeAll would do, too, but with tables of
	// its own beside those for streams.
	e.sink.b = dst
	e.z.ResetContentSize(&e.sink, int64(len(src)))
	_, err = e.z.Write(src)
	if err == nil {
		err = e.z.Close()
	}
	out := e.sink.b
	e.sink.b = nil
	e.err = err
	encoders.Put(e.slot)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// AppendDecompress is like the function [AppendDecompress].
func (p *Pool) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	p.once.Do(p.init)
	d := p.decoders.Get().decoder
	d.start(&p.decoders, int64(limit))
	out, err := d.appendTo(dst, src)
	d.mu.Lock()
	d.stop()
	d.mu.Unlock()
	p.decoders.Put(d.slot)
	if err != nil {
		return dst, err
	}
	return out, nil
}

func (d *decoder) appendTo(dst, src []byte) ([]byte, error) {
	if d.err != nil {
		return dst, d.err
	}
	// Not with DecodeAll, whose decoder goes on referring to src and dst.
	var h zstd.Header
	if h.Decode(src) == nil && h.HasFCS {
		n := h.FrameContentSize
		if n > uint64(d.limit) {
			return dst, d.tooLarge()
		}
		// The length is believed as far as ordinary data go.
		dst = slices.Grow(dst, int(min(n, max(64<<10, 64*uint64(len(src))))))
	}
	if err := d.stream(source{b: src}); err != nil {
		return dst, err
	}
	for {
		if len(dst) == cap(dst) {
			n, err := d.read(d.one[:])
			dst = append(dst, d.one[:n]...)
			if err == io.EOF {
				return dst, nil
			}
			if err != nil {
				return dst, err
			}
		}
		n, err := d.read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// chunks are for copying.
var chunks = spare.Slices[byte]{Name: "zstdpool"}

const chunk = 32 << 10

// Compress is like the function [Compress].
func (p *Pool) Compress(dst io.Writer, src io.Reader) (int64, error) {
	z := p.Get(dst)
	defer Put(z)
	buf := chunks.Get(chunk)
	defer chunks.Put(buf)
	n, err := io.CopyBuffer(z, onlyReader{src}, buf[:chunk])
	if err != nil {
		return n, err
	}
	return n, z.Close()
}

// Decompress is like the function [Decompress].
func (p *Pool) Decompress(dst io.Writer, src io.Reader, limit int64) (int64, error) {
	z, err := p.GetReader(src, limit)
	if err != nil {
		return 0, err
	}
	defer z.Close()
	buf := chunks.Get(chunk)
	defer chunks.Put(buf)
	return io.CopyBuffer(onlyWriter{dst}, z, buf[:chunk])
}

// onlyReader and onlyWriter hide WriteTo and ReadFrom, with which io.CopyBuffer
// would not use its buffer, and which might keep it.
type onlyReader struct{ io.Reader }
type onlyWriter struct{ io.Writer }
