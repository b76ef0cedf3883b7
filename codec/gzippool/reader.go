// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/spare-go/spare"
)

// NoLimit is the limit of who does not want one.
const NoLimit = math.MaxInt64

// ErrTooLarge is wrapped by the error for data that decompress to more than the
// limit.
var ErrTooLarge = errors.New("gzippool: decompressed data exceed the limit")

// A Reader decompresses a gzip stream, as a gzip.Reader does. It comes from
// GetReader.
//
// Close gives the codec back. Unlike a gzip.Reader, a Reader may be closed while
// another goroutine reads from it: Close waits for that Read.
type Reader struct {
	// Header is that of the first member of the stream.
	gzip.Header

	dec   *decoder
	gen   uint64 // the turn of dec that is this Reader's
	pool  *Pool
	limit int64
}

// A decoder is a decompressor that can lie idle without holding on to the reader
// that it served last.
//
// It goes from one member of a stream to the next by itself, because one of the
// backends takes a header that is cut off within a name for the end of the stream.
type decoder struct {
	mu   sync.Mutex
	gen  uint64 // advances with each turn
	z    decompressor
	home *spare.Pool[decoderSlot]
	slot *decoderSlot

	src    flate.Reader  // what z reads
	mem    bytes.Reader  // src for bytes in memory
	buf    *bufio.Reader // src for readers without ReadByte, reads from under
	under  under
	bytes  watch // src for readers with ReadByte that are not known better
	direct bool  // src is the user's own
	dirty  bool  // z refers to the user's own

	limit  int64
	left   int64 // bytes until the limit
	single bool  // Multistream(false)
	one    [1]byte

	busy   bool // in a call, or left it by a panic
	failed bool // z is not to be reused
	err    error
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
	d := &decoder{z: b.newDecompressor()}
	d.slot = &decoderSlot{d}
	return d
}

// size returns about how many bytes d holds.
func (d *decoder) size() int {
	n := 42 << 10 // the window and its tables
	if d.buf != nil {
		n += d.buf.Size()
	}
	return n
}

// A decoderSlot is what the pool keeps; see encoderSlot.
type decoderSlot struct{ *decoder }

// whole reports whether d may be reused.
func (d *decoder) whole() bool { return !d.failed && !d.busy }

// start begins a turn. The caller owns d.
func (d *decoder) start(home *spare.Pool[decoderSlot], limit int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.home = home
	d.limit = max(limit, 0)
	d.left = d.limit
	d.single = false
	d.err = nil
}

// from makes d read r, and reads the header. The caller owns d.
func (d *decoder) from(r io.Reader) error {
	d.direct = false
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
	return d.next()
}

// next reads the header of the next member. It returns io.EOF if there is none. It
// leaves d.busy set if the user's reader panics.
func (d *decoder) next() error {
	d.busy = true
	err := d.nextMember()
	d.busy = false
	d.err = err
	// The end of the input is no fault.
	d.failed = d.failed || err != nil && err != io.EOF
	return err
}

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

// read is Read within the limit.
func (d *decoder) read(p []byte) (int, error) {
	if d.busy {
		return 0, errPanicked
	}
	if d.err != nil {
		return 0, d.err
	}
	if len(p) == 0 {
		return 0, nil
	}
	if d.left == 0 {
		if n, err := d.readMembers(d.one[:]); n == 0 {
			return 0, err
		}
		d.err = fmt.Errorf("%w of %d bytes", ErrTooLarge, d.limit)
		return 0, d.err
	}
	if int64(len(p)) > d.left {
		p = p[:d.left]
	}
	n, err := d.readMembers(p)
	d.left -= int64(n)
	return n, err
}

// readMembers is Read from one member or the following ones.
func (d *decoder) readMembers(p []byte) (n int, err error) {
	for n == 0 && err == nil {
		d.busy = true
		n, err = d.z.Read(p)
		d.busy = false
		switch {
		case err == io.EOF && !d.single:
			err = d.next()
		case err == io.EOF:
			d.err = err
		case err != nil:
			d.failed = true
			d.err = err
		}
	}
	return n, err
}

// gzipHeader is the least that a decompressor accepts.
var gzipHeader = []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")

// stop ends the turn: d lets go of what is the user's. The caller holds d.mu and
// passes d to the pool when it has released it.
func (d *decoder) stop() {
	d.gen++
	d.src, d.under.r, d.bytes.r = nil, nil, nil
	if d.whole() {
		if d.dirty {
			d.mem.Reset(gzipHeader)
			if d.z.Reset(&d.mem) != nil {
				d.failed = true
			}
		}
		d.z.clearHeader()
	}
	d.dirty = false
	d.mem.Reset(nil)
}

func (z *Reader) open(p *Pool, r io.Reader, limit int64) error {
	p.once.Do(p.init)
	d := p.decoders.Get().decoder
	d.start(&p.decoders, limit)
	if err := d.begin(z, r); err != nil {
		p.decoders.Put(d.slot)
		return err
	}
	z.dec, z.gen, z.pool, z.limit = d, d.gen, p, limit
	return nil
}

// begin reads the header, and ends the turn if that fails.
func (d *decoder) begin(z *Reader, r io.Reader) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.from(r); err != nil {
		d.stop()
		return err
	}
	z.Header = d.z.header()
	return nil
}

// lock locks the codec, if it is still z's.
func (z *Reader) lock() (*decoder, error) {
	if z.dec == nil {
		return nil, ErrClosed
	}
	z.dec.mu.Lock()
	if z.dec.gen != z.gen {
		z.dec.mu.Unlock()
		return nil, ErrClosed
	}
	return z.dec, nil
}

// Read decompresses into p. It returns io.EOF when the stream has ended and its
// checksum is right, and an error that wraps ErrTooLarge if there is more than
// the limit.
func (z *Reader) Read(p []byte) (int, error) {
	d, err := z.lock()
	if err != nil {
		return 0, err
	}
	defer d.mu.Unlock()
	return d.read(p)
}

// Multistream controls whether the members of a concatenation are read as one stream,
// which is the default, or end with io.EOF each, as gzip.Reader.Multistream does.
// In the second case, Reset continues with the next one.
func (z *Reader) Multistream(ok bool) {
	d, err := z.lock()
	if err != nil {
		return
	}
	defer d.mu.Unlock()
	d.single = !ok
}

// Reset makes z read r as a new stream, with the limit anew and multistream
// enabled. It takes a codec from the pool if z has none, and gives it back
// if it returns an error.
func (z *Reader) Reset(r io.Reader) error {
	d, err := z.lock()
	if err != nil {
		if z.pool == nil {
			return ErrClosed
		}
		return z.open(z.pool, r, z.limit)
	}
	if !d.whole() {
		d.stop()
		d.mu.Unlock()
		d.home.Put(d.slot)
		return z.open(z.pool, r, z.limit)
	}
	d.left, d.single, d.err = d.limit, false, nil
	d.mu.Unlock()
	if err := d.begin(z, r); err != nil {
		d.home.Put(d.slot)
		return err
	}
	return nil
}

// Close gives the codec back. It does not close the underlying reader. As with
// gzip.Reader, the checksum has been verified only if Read returned io.EOF.
// Closing twice is no error.
func (z *Reader) Close() error {
	d, err := z.lock()
	if err != nil {
		return nil
	}
	d.stop()
	d.mu.Unlock()
	d.home.Put(d.slot)
	return nil
}
