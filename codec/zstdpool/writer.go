// SPDX-License-Identifier: BSD-3-Clause

package zstdpool

import (
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare"
)

// ErrClosed is returned for use of a Writer or Reader whose codec was given
// back.
var ErrClosed = errors.New("zstdpool: use after Close or Put")

// errPanicked is returned for use of a codec whose user's writer or reader
// panicked.
var errPanicked = errors.New("zstdpool: use after a panic")

// A Writer compresses what is written to it, as a zstd.Encoder does. It comes from
// Get or GetLevel.
//
// Close finishes the stream and gives the codec back. A Writer must not be used by
// two goroutines at once; that a late one does is no danger to the codec's
// next user.
type Writer struct {
	enc *encoder
	gen uint64 // the turn of enc that is this Writer's
	err error  // of the stream, once the codec was given back
}

type encoder struct {
	mu   sync.Mutex
	gen  uint64 // advances with each turn
	z    *zstd.Encoder
	sink sink // what z writes to
	home *spare.Pool[encoderSlot]
	slot *encoderSlot

	busy bool // in a call, or left it by a panic
	err  error
}

// A sink passes on to w or, if that is nil, appends to b. It lets go of either.
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

// encoderKiB are about the sizes of the encoders of each level that have
// compressed more than a block. A test compares them with what they allocate.
var encoderKiB = [...]int{9056, 18824, 21502, 52153}

// An encoderSlot is what the pool keeps. The encoder lies outside of it because a late
// user of a handle comes as far as the encoder's lock, while nobody may touch
// memory that is in a pool.
type encoderSlot struct{ *encoder }

// whole reports whether e may be reused.
func (e *encoder) whole() bool { return e.err == nil && !e.busy }

// start begins a turn. The caller owns e.
func (e *encoder) start(home *spare.Pool[encoderSlot], w io.Writer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.home = home
	e.sink.w = w
	if e.z != nil {
		e.z.Reset(&e.sink)
	}
}

// stop ends the turn. The caller holds e.mu and passes e to the pool when it has
// released it.
func (e *encoder) stop() {
	e.gen++
	e.sink.w = nil
}

// enter begins a call to e.z.
func (e *encoder) enter() error {
	if e.busy {
		return errPanicked
	}
	if e.err != nil {
		return e.err
	}
	e.busy = true
	return nil
}

func (e *encoder) leave(err error) error {
	e.busy = false
	e.err = err
	return err
}

func (z *Writer) open(p *Pool, w io.Writer, level zstd.EncoderLevel) error {
	encoders, err := p.encodersOf(level)
	if err != nil {
		return err
	}
	e := encoders.Get().encoder
	e.start(encoders, w)
	if e.z == nil {
		z.err = e.err
		encoders.Put(e.slot)
		return z.err
	}
	z.enc, z.gen = e, e.gen
	return nil
}

// lock locks the codec, if it is still z's.
func (z *Writer) lock() (*encoder, error) {
	if z.enc == nil {
		if z.err != nil {
			return nil, z.err
		}
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
	if err := e.enter(); err != nil {
		return 0, err
	}
	n, err := e.z.Write(p)
	return n, e.leave(err)
}

// Flush writes all that was compressed so far.
func (z *Writer) Flush() error {
	e, err := z.lock()
	if err != nil {
		return err
	}
	defer e.mu.Unlock()
	if err := e.enter(); err != nil {
		return err
	}
	return e.leave(e.z.Flush())
}

// Close writes what is left and the end of the frame, and gives the codec back. It
// does not close the underlying writer. Nothing is written for an empty stream,
// unless EncoderOptions ask for it. A second Close returns what the first did.
func (z *Writer) Close() error {
	e, err := z.lock()
	if err != nil {
		return z.err
	}
	z.err = e.finish()
	e.home.Put(e.slot)
	return z.err
}

// finish closes the stream, ends the turn and unlocks.
func (e *encoder) finish() error {
	defer e.mu.Unlock()
	err := e.enter()
	if err == nil {
		err = e.leave(e.z.Close())
	}
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
