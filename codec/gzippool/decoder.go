// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"bufio"
	"bytes"
	"compress/flate"
	"io"
	"strings"
	"sync/atomic"

	"github.com/spare-go/spare/codec/internal/lease"
)

// A decoder is a decompressor that can lie idle without holding on to the reader
// that it served last.
//
// It goes from one member of a stream to the next by itself, because one of the
// backends takes a header that is cut off within a name for the end of the stream.
type decoder struct {
	lease.Decoder
	z    decompressor
	size int // that z holds

	src    flate.Reader  // what z reads
	mem    bytes.Reader  // src for bytes in memory
	buf    *bufio.Reader // src for readers without ReadByte, reads from under
	under  under
	bytes  watch        // src for readers with ReadByte that are not known better
	direct bool         // src is the user's own
	dirty  bool         // z refers to the user's own
	single *atomic.Bool // Multistream(false), where the user's handle has it; nil for none
}

// under lets go of the reader behind a bufio.Reader.
type under struct{ r io.Reader }

func (u *under) Read(p []byte) (int, error) { return u.r.Read(p) }

// watch notes whether there was anything to read.
type watch struct {
	r   flate.Reader
	any bool
}

func (w *watch) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.any = w.any || n > 0
	return n, err
}

func (w *watch) ReadByte() (byte, error) {
	c, err := w.r.ReadByte()
	w.any = w.any || err == nil
	return c, err
}

func newDecoder(b Backend) *decoder {
	// The window and its tables, and the second level of tables that long codes need: up to
	// 143 prefixes of 9 bits with two symbols or more, and 64 entries for each.
	size := 42<<10 + 24<<10
	if b == Standard {
		size = 42<<10 + 46<<10
	}
	d := &decoder{z: b.newDecompressor(), size: size}
	d.Init((*members)(d), errs)
	return d
}

// Size is what d holds, or somewhat more. A test compares it with what lives.
func (d *decoder) Size() int {
	n := d.size
	if d.buf != nil {
		n += d.buf.Size()
	}
	return n
}

// from makes d read a new stream from r, and reads the header. The caller has called
// Begin.
func (d *decoder) from(r io.Reader, single *atomic.Bool) error {
	d.direct, d.single = false, single
	switch r := r.(type) {
	case *bytes.Reader:
		d.src, d.direct = r, true
	case *bytes.Buffer:
		d.src, d.direct = r, true
	case *strings.Reader:
		d.src, d.direct = r, true
	case *bufio.Reader:
		d.src, d.direct = r, true
	case flate.Reader:
		d.bytes.r = r
		d.src = &d.bytes
	default:
		d.under.r = r
		if d.buf == nil {
			d.buf = bufio.NewReader(&d.under)
		} else {
			d.buf.Reset(&d.under)
		}
		d.src = d.buf
	}
	return d.open()
}

// fromBytes is like from for a stream in memory.
func (d *decoder) fromBytes(src []byte) error {
	d.direct, d.single = false, nil
	d.mem.Reset(src)
	d.src = &d.mem
	return d.open()
}

func (d *decoder) open() error {
	d.Enter()
	err := d.nextMember()
	d.Leave(err)
	return err
}

// nextMember reads the header of the next member. It returns io.EOF if there is
// none.
func (d *decoder) nextMember() error {
	if d.src == &d.bytes {
		d.bytes.any = false
	} else if err := more(d.src); err != nil {
		return err
	}
	d.dirty = d.dirty || d.direct
	err := d.z.Reset(d.src)
	if err == io.EOF && d.src == &d.bytes && !d.bytes.any {
		return io.EOF
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	if err == nil {
		d.z.Multistream(false)
	}
	return err
}

// more returns nil if there is something to read from src, and its error if not.
func more(src flate.Reader) error {
	n := 0
	switch src := src.(type) {
	case *bytes.Reader:
		n = src.Len()
	case *bytes.Buffer:
		n = src.Len()
	case *strings.Reader:
		n = src.Len()
	case *bufio.Reader:
		_, err := src.Peek(1)
		return err
	}
	if n == 0 {
		return io.EOF
	}
	return nil
}

// members is a decoder as the reader of one member and those that follow it.
type members decoder

func (m *members) Read(p []byte) (n int, err error) {
	d := (*decoder)(m)
	for n == 0 && err == nil {
		n, err = d.z.Read(p)
		if err == io.EOF && (d.single == nil || !d.single.Load()) {
			err = d.nextMember()
		}
	}
	return n, err
}

// gzipHeader is the least that a decompressor accepts.
var gzipHeader = []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")

// Forget lets go of what is the user's.
func (d *decoder) Forget() {
	d.src, d.under.r, d.bytes.r, d.single = nil, nil, nil, nil
	if d.Whole() {
		if d.dirty {
			d.mem.Reset(gzipHeader)
			if err := d.z.Reset(&d.mem); err != nil {
				d.Fail(err)
			}
		}
		d.z.clearHeader()
	}
	d.dirty = false
	d.mem.Reset(nil)
}
