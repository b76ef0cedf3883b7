// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare"
)

// NoLimit is the limit of who does not want one.
const NoLimit = math.MaxInt64

// ErrTooLarge is wrapped by the error for data that decompress to more than the
// limit.
var ErrTooLarge = errors.New("zstdpool: decompressed data exceed the limit")

// A Reader decompresses a zstd stream, as a zstd.Decoder does. It comes from
// GetReader.
//
// Close gives the codec back. A Reader may be closed while another goroutine reads from
// it: Close waits for that Read.
type Reader struct {
	dec *decoder
	gen uint64 // the turn of dec that is this Reader's
}

type decoder struct {
	mu   sync.Mutex
	gen  uint64 // advances with each turn
	z    *zstd.Decoder
	src  source
	home *spare.Pool[decoderSlot]
	slot *decoderSlot

	limit int64
	left  int64 // bytes until the limit
	most  int64 // of the windows so far
	one   [1]byte

	busy   bool // in a call, or left it by a panic
	failed bool // z is not to be reused
	err    error
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

// size returns about how many bytes d holds: tables, blocks, and the largest window
// that a stream demanded.
func (d *decoder) size() int { return decoderKiB<<10 + int(d.most) }

const decoderKiB = 256

// A decoderSlot is what the pool keeps; see encoderSlot.
type decoderSlot struct{ *decoder }

// whole reports whether d may be reused.
func (d *decoder) whole() bool { return d.z != nil && !d.failed && !d.busy }

// start begins a turn. The caller owns d.
func (d *decoder) start(home *spare.Pool[decoderSlot], limit int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.home = home
	d.limit = max(limit, 0)
	d.left = d.limit
	if d.z != nil {
		d.err = nil
	}
}

// stream makes d read src. The caller owns d.
func (d *decoder) stream(src source) error {
	d.src = src
	d.busy = true
	err := d.z.Reset(&d.src)
	d.busy = false
	if err != nil {
		d.failed, d.err = true, err
	}
	return err
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
		if n, err := d.readStream(d.one[:]); n == 0 {
			return 0, err
		}
		d.err = d.tooLarge()
		return 0, d.err
	}
	if int64(len(p)) > d.left {
		p = p[:d.left]
	}
	n, err := d.readStream(p)
	d.left -= int64(n)
	return n, err
}

func (d *decoder) tooLarge() error { return fmt.Errorf("%w of %d bytes", ErrTooLarge, d.limit) }

func (d *decoder) readStream(p []byte) (int, error) {
	d.busy = true
	n, err := d.z.Read(p)
	d.busy = false
	if err != nil {
		d.failed = err != io.EOF
		d.err = err
	}
	return n, err
}

// stop ends the turn: d lets go of what is the user's. The caller holds d.mu and
// passes d to the pool when it has released it.
func (d *decoder) stop() {
	d.gen++
	d.most = max(d.most, d.src.window())
	d.src = source{}
	if d.whole() && d.z.Reset(nil) != nil {
		d.failed = true
	}
}

func (z *Reader) open(p *Pool, r io.Reader, limit int64) error {
	p.once.Do(p.init)
	d := p.decoders.Get().decoder
	d.start(&p.decoders, limit)
	err := d.err
	if err == nil {
		err = d.stream(source{r: r})
	}
	if err != nil {
		p.decoders.Put(d.slot)
		return err
	}
	z.dec, z.gen = d, d.gen
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

// Read decompresses into p. It returns an error that wraps ErrTooLarge if there
// is more than the limit.
func (z *Reader) Read(p []byte) (int, error) {
	d, err := z.lock()
	if err != nil {
		return 0, err
	}
	defer d.mu.Unlock()
	return d.read(p)
}

// Close gives the codec back. It does not close the underlying reader. Closing twice
// is no error.
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
