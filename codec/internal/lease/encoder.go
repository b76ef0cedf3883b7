// SPDX-License-Identifier: BSD-3-Clause

package lease

import (
	"io"
	"sync/atomic"
)

// A Compressor is the encoder of a library. It writes to the Sink of the Encoder
// that it belongs to, and so keeps nothing of the user's.
type Compressor interface {
	io.Writer
	Flush() error
	Close() error
}

// An Encoder is the part of a pooled encoder that does not depend on the format.
type Encoder struct {
	Sink Sink

	z    Compressor
	errs *Errors
	busy bool // in a call, or left it by a panic
	err  error
}

// A Sink passes on to W or, if that is nil, appends to B.
type Sink struct {
	W io.Writer
	B []byte
}

// Write implements io.Writer.
func (s *Sink) Write(p []byte) (int, error) {
	if s.W != nil {
		return s.W.Write(p)
	}
	s.B = append(s.B, p...)
	return len(p), nil
}

// Init sets what does the work. z writes to e.Sink.
func (e *Encoder) Init(z Compressor, errs *Errors) { e.z, e.errs = z, errs }

// Whole reports whether e may serve another user.
func (e *Encoder) Whole() bool { return e.err == nil && !e.busy }

// Forget lets go of the user's writer or bytes.
func (e *Encoder) Forget() { e.Sink = Sink{} }

// Panicked reports whether a call to the compressor was left by a panic.
func (e *Encoder) Panicked() bool { return e.busy }

// Begin says that a new stream begins.
func (e *Encoder) Begin() { e.err = nil }

// Fail makes all further calls return err.
func (e *Encoder) Fail(err error) { e.err = err }

// Err returns the error of the stream, or that of use after a panic.
func (e *Encoder) Err() error {
	if e.busy {
		return e.errs.Panicked
	}
	return e.err
}

func (e *Encoder) leave(err error) error {
	e.busy = false
	e.err = err
	return err
}

// Write compresses p.
func (e *Encoder) Write(p []byte) (int, error) {
	if err := e.Err(); err != nil {
		return 0, err
	}
	e.busy = true
	n, err := e.z.Write(p)
	return n, e.leave(err)
}

// Flush writes what was compressed so far.
func (e *Encoder) Flush() error {
	if err := e.Err(); err != nil {
		return err
	}
	e.busy = true
	return e.leave(e.z.Flush())
}

// Close writes the rest.
func (e *Encoder) Close() error {
	if err := e.Err(); err != nil {
		return err
	}
	e.busy = true
	return e.leave(e.z.Close())
}

// Append compresses all of src to the end of what e.Sink.B holds, and returns
// that.
func (e *Encoder) Append(src []byte) ([]byte, error) {
	_, err := e.Write(src)
	if err == nil {
		err = e.Close()
	}
	return e.Sink.B, err
}

// A Result is what the Close of a stream returned. It is set once in a turn, by whoever
// ended it, and read by any goroutine. Until then it is nil.
type Result struct {
	set atomic.Bool
	err error
}

// Get returns the error.
func (r *Result) Get() error {
	if r.set.Load() {
		return r.err
	}
	return nil
}

// Set sets the error.
func (r *Result) Set(err error) {
	r.err = err
	r.set.Store(true)
}

// Clear is for the begin of the next turn.
func (r *Result) Clear() { r.set.Store(false) }
