// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/lease"
)

type decoder struct {
	lease.Decoder
	z    *zstd.Decoder // nil if an option was refused
	src  source
	most int64 // of the windows so far
}

// A source lets go of the reader or the bytes behind a decoder.
type source struct {
	r    io.Reader
	b    []byte
	head [zstd.HeaderMaxSize]byte
	n    int // bytes of head
}

func (s *source) Read(p []byte) (n int, err error) {
	switch {
	case s.r != nil:
		n, err = s.r.Read(p)
	case len(s.b) == 0:
		return 0, io.EOF
	default:
		n = copy(p, s.b)
		s.b = s.b[n:]
	}
	if s.n < len(s.head) && n > 0 && n <= len(p) {
		s.n += copy(s.head[s.n:], p[:n])
	}
	return n, err
}

// window returns the window that the stream demands.
func (s *source) window() int64 {
	var h zstd.Header
	if s.n == 0 || h.Decode(s.head[:s.n]) != nil {
		return 0
	}
	if h.SingleSegment {
		return int64(min(h.FrameContentSize, DefaultMaxWindow))
	}
	return int64(min(h.WindowSize, DefaultMaxWindow))
}

// Size is about what d holds: tables, blocks, and the largest window that the first frame of a
// stream demanded. A test compares it with what lives.
func (d *decoder) Size() int {
	n := 140<<10 + int(d.most)
	if d.most > 16<<10 {
		n += 340 << 10
	}
	return n
}

// start makes d read src, of at most limit bytes. It returns the error of a refused
// option.
func (d *decoder) start(src source, limit int64) error {
	if d.z == nil {
		return d.Err()
	}
	d.Begin(limit)
	d.src = src
	d.Enter()
	err := d.z.Reset(&d.src)
	d.Leave(err)
	return err
}

// appendFrames appends to dst what src holds. It does not use DecodeAll, whose decoder goes on
// referring to src and dst.
func (d *decoder) appendFrames(dst, src []byte, limit int64) ([]byte, error) {
	if err := d.start(source{b: src}, limit); err != nil {
		return dst, err
	}
	var h zstd.Header
	if h.Decode(src) == nil && h.HasFCS {
		if h.FrameContentSize > uint64(d.Limit()) {
			return dst, d.TooLarge()
		}
		// The length is believed as far as ordinary data go.
		most := max(64<<10, 64*uint64(len(src)))
		dst = slices.Grow(dst, int(min(h.FrameContentSize, most, mostAtOnce)))
	}
	return d.AppendTo(dst)
}

// mostAtOnce is the largest room to make for what is only claimed to come.
const mostAtOnce = 1 << 30

// Forget lets go of what is the user's.
func (d *decoder) Forget() {
	d.most = max(d.most, d.src.window())
	d.src = source{}
	if d.Whole() {
		if err := d.z.Reset(nil); err != nil {
			d.Fail(err)
		}
	}
}
