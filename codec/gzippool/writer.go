// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"compress/gzip"
	"errors"
	"io"
	"sync"

	"github.com/spare-go/spare"
)

// ErrClosed is returned for use of a Writer or Reader whose codec was given
// back.
var ErrClosed = errors.New("gzippool: use after Close or Put")

// errPanicked is returned for use of a codec whose user's writer or reader
// panicked.
var errPanicked = errors.New("gzippool: use after a panic")

// A Writer compresses what is written to it, as a gzip.Writer does. It comes from
// Get or GetLevel.
//
// Close finishes the stream and gives the codec back. A Writer must not be
// used by two goroutines at once; that a late one does is no danger to the
// codec's next user.
type Writer struct {
	// Header is written at the first call to Write, Flush or Close.
	gzip.Header

	enc   *encoder
	gen   uint64 // the turn of enc that is this Writer's
	pool  *Pool
	level int
	err   error // of the stream, once the codec was given back
}

// An encoder is a compressor that can lie idle without holding on to the writer that
// it served last. gzip.Writer.Reset would let go of it too, but with the
// standard library's default level that clears 640 KiB of tables, and once for each
// use is enough.
type encoder struct {
	mu   sync.Mutex
	gen  uint64 // advances with each turn
	sink sink
	z    compressor // writes to sink
	home *spare.Pool[encoderSlot]
	slot *encoderSlot

	begun bool // the header was set
	busy  bool // in a call, or left it by a panic
	err   error
}

// A sink passes on to w or, if that is nil, appends to b.
type sink struct {
	w io.Writer
	b []byte
}

func (s *sink) Write(p []byte) (int, error) {
	if s.w != nil {
		return s.w.Write(p)
	}
	s.b = append(s.b, p...)
	return len(p), nil
}

func newEncoder(b Backend, level int) *encoder {
	e := new(encoder)
	e.slot = &encoderSlot{e}
	var err error
	if e.z, err = b.newCompressor(level); err != nil {
		panic(err) // the level was looked at
	}
	return e
}

// encoderSize returns about how many bytes an encoder holds. A test compares it
// with what one allocates.
func encoderSize(b Backend, level int) int {
	kib := klauspostKiB[level-minLevel]
	if b == Standard {
		kib = 797
		switch level {
		case HuffmanOnly, NoCompression:
			kib = 720
		case BestSpeed:
			kib = 1181
		}
	}
	return kib << 10
}

// klauspostKiB are the sizes of the levels from minLevel on. The first, of the level
// without state, is 0 but for the rest.
var klauspostKiB = [...]int{1, 314, 1059, 347, 802, 1186, 1187, 930, 1058, 1058, 994, 994, 1390}

// An encoderSlot is what the pool keeps. The encoder lies outside of it because a late
// user of a handle comes as far as the encoder's lock, while nobody may touch
// memory that is in a pool.
type encoderSlot struct{ *encoder }

// whole reports whether e may be reused.
func (e *encoder) whole() bool { return e.err == nil && !e.busy }

// start begins a turn. The caller owns e.
func (e *encoder) start(home *spare.Pool[encoderSlot], w io.Writer) (gen uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.home = home
	e.reset(w)
	return e.gen
}

func (e *encoder) reset(w io.Writer) {
	e.sink.w = w
	e.z.Reset(&e.sink)
	e.begun, e.err = false, nil
}

// stop ends the turn. The caller holds e.mu and passes e to the pool when it has
// released it.
func (e *encoder) stop() {
	e.gen++
	e.sink = sink{}
	if e.begun {
		e.z.setHeader(gzip.Header{})
	}
}

// enter begins a call to e.z.
func (e *encoder) enter(h *gzip.Header) error {
	if e.busy {
		return errPanicked
	}
	if e.err != nil {
		return e.err
	}
	if !e.begun {
		e.begun = true
		e.z.setHeader(*h)
	}
	e.busy = true
	return nil
}

func (e *encoder) leave(err error) error {
	e.busy = false
	e.err = err
	return err
}

func (e *encoder) write(h *gzip.Header, p []byte) (int, error) {
	if err := e.enter(h); err != nil {
		return 0, err
	}
	n, err := e.z.Write(p)
	return n, e.leave(err)
}

func (e *encoder) close(h *gzip.Header) error {
	if err := e.enter(h); err != nil {
		return err
	}
	return e.leave(e.z.Close())
}

func (z *Writer) open(p *Pool, w io.Writer, level int) error {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return err
	}
	e := encoders.Get().encoder
	z.Header = gzip.Header{OS: 255} // unknown, as gzip.NewWriter has it
	z.enc, z.gen = e, e.start(encoders, w)
	z.pool, z.level, z.err = p, level, nil
	return nil
}

// lock locks the codec, if it is still z's.
func (z *Writer) lock() (*encoder, error) {
	if z.enc == nil {
		return nil, ErrClosed
	}
	z.enc.mu.Lock()
	if z.enc.gen != z.gen {
		z.enc.mu.Unlock()
		return nil, ErrClosed
	}
	return z.enc, nil
}

// Write compresses p. Compressed bytes may stay behind until Flush or Close.
func (z *Writer) Write(p []byte) (int, error) {
	e, err := z.lock()
	if err != nil {
		return 0, err
	}
	defer e.mu.Unlock()
	return e.write(&z.Header, p)
}

// Flush writes all that was compressed so far, as gzip.Writer.Flush does.
func (z *Writer) Flush() error {
	e, err := z.lock()
	if err != nil {
		return err
	}
	defer e.mu.Unlock()
	if err := e.enter(&z.Header); err != nil {
		return err
	}
	return e.leave(e.z.Flush())
}

// Close writes what is left and the end of the stream, and gives the codec back.
// It does not close the underlying writer. A second Close returns what the
// first did.
func (z *Writer) Close() error {
	e, err := z.lock()
	if err != nil {
		return z.err
	}
	z.err = e.finish(&z.Header)
	e.home.Put(e.slot)
	return z.err
}

// finish closes the stream, ends the turn and unlocks.
func (e *encoder) finish(h *gzip.Header) error {
	defer e.mu.Unlock()
	err := e.close(h)
	e.stop()
	return err
}

// release gives the codec back without finishing the stream.
func (z *Writer) release() {
	e, err := z.lock()
	if err != nil {
		return
	}
	z.err = ErrClosed
	e.stop()
	e.mu.Unlock()
	e.home.Put(e.slot)
}

// Reset makes z write a new stream to w, at the same level and without the
// header fields, whatever its state. It takes a codec from the pool if z has none.
func (z *Writer) Reset(w io.Writer) {
	e, err := z.lock()
	if err == nil && !e.busy {
		z.Header = gzip.Header{OS: 255}
		z.err = nil
		e.reset(w)
		e.mu.Unlock()
		return
	}
	if err == nil { // broken by a panic
		e.stop()
		e.mu.Unlock()
		e.home.Put(e.slot)
	}
	if z.pool == nil {
		z.pool, z.level = &shared, DefaultCompression
	}
	z.open(z.pool, w, z.level)
}
