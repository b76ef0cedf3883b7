// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"compress/gzip"
	"encoding/binary"
	"io"
	"slices"

	"github.com/spare-go/spare"
)

// header is that of the one-call forms.
var header = gzip.Header{OS: 255}

// AppendCompress appends src to dst as one gzip stream and returns the extended
// slice. It compresses at the default level.
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
// gzip.NewReader has it.
func AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
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
	e := encoders.Get().encoder
	e.start(encoders, nil)
	e.sink.b = slices.Grow(dst, compressedSize(len(src)))
	_, err = e.write(&header, src)
	if err == nil {
		err = e.close(&header)
	}
	out := e.sink.b
	e.mu.Lock()
	e.stop()
	e.mu.Unlock()
	encoders.Put(e.slot)
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
func (p *Pool) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	p.once.Do(p.init)
	d := p.decoders.Get().decoder
	d.start(&p.decoders, int64(limit))
	d.mem.Reset(src)
	d.src, d.direct = &d.mem, false
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
	if err := d.next(); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, d.decompressedSize(src))
	for {
		if len(dst) < cap(dst) {
			n, err := d.read(dst[len(dst):cap(dst)])
			dst = dst[:len(dst)+n]
			if err == io.EOF {
				return dst, nil
			}
			if err != nil {
				return dst, err
			}
			continue
		}
		// dst is often as large as it has to be. Ask before it grows.
		n, err := d.read(d.one[:])
		dst = append(dst, d.one[:n]...)
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// decompressedSize estimates what src holds. The last word of the stream says so, but
// whoever made it may lie: it is believed as far as ordinary data go.
func (d *decoder) decompressedSize(src []byte) int {
	if len(src) < 18 {
		return 0
	}
	n := int64(binary.LittleEndian.Uint32(src[len(src)-4:]))
	return int(min(n, d.left, 16*int64(len(src))))
}

// chunks are for copying.
var chunks = spare.Slices[byte]{Name: "gzippool"}

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
