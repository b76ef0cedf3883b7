package elsewhere

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

// Frames that one goroutine writes for all streams. Who waits for his own gives up when the stream ends.

type framedStream struct{ ended chan struct{} }

type framing struct {
	p    []byte
	done chan error
}

type framedConn struct {
	frames chan framing
	w      io.Writer
}

func (c *framedConn) serve() {
	for f := range c.frames {
		_, err := c.w.Write(f.p)
		f.done <- err
	}
}

var errEnded = errors.New("stream ended")

func (c *framedConn) write(p []byte, st *framedStream) error {
	f := framing{p, make(chan error, 1)}
	select {
	case c.frames <- f:
	case <-st.ended:
		return errEnded
	}
	select {
	case err := <-f.done:
		return err
	case <-st.ended:
		return errEnded
	}
}

type framedWriter struct {
	c  *framedConn
	st *framedStream
}

func (w *framedWriter) Write(p []byte) (int, error) {
	if err := w.c.write(p, w.st); err != nil {
		return 0, err
	}
	return len(p), nil
}

var framedBufs = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

func (w *framedWriter) ReadFrom(r io.Reader) (int64, error) {
	bp := framedBufs.Get().(*[]byte)
	defer framedBufs.Put(bp) // want `bp is put in framedBufs while the receiver from the channel \(line 36\) may still use it`
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, *bp)
}

// The writer in the struct gives copies to the goroutine.

type copyingWriter struct{ w *framedWriter }

func (w copyingWriter) Write(p []byte) (int, error) { return w.w.Write(bytes.Clone(p)) }

func (w copyingWriter) ReadFrom(r io.Reader) (int64, error) {
	bp := framedBufs.Get().(*[]byte)
	defer framedBufs.Put(bp)
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, *bp)
}

// A pooled state whose bufio.Writer writes to the state, which passes it on.

type framedState struct {
	c  *framedConn
	st *framedStream
	bw *bufio.Writer
}

var framedStates = sync.Pool{New: func() any {
	s := new(framedState)
	s.bw = bufio.NewWriterSize(s, 4096)
	return s
}}

func (s *framedState) Write(p []byte) (int, error) {
	if err := s.c.write(p, s.st); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *framedConn) handle(st *framedStream, do func(io.StringWriter)) {
	s := framedStates.Get().(*framedState)
	s.c, s.st = c, st
	s.bw.Reset(s)
	do(s.bw)
	s.bw.Flush()
	s.c, s.st = nil, nil
	framedStates.Put(s) // want `s is put in framedStates while the receiver from the channel \(line 36\) may still use it`
}

// It remembers that a write failed, and is not put then.

type carefulState struct {
	c     *framedConn
	st    *framedStream
	bw    *bufio.Writer
	dirty bool
}

var carefulStates = sync.Pool{New: func() any {
	s := new(carefulState)
	s.bw = bufio.NewWriterSize(s, 4096)
	return s
}}

func (s *carefulState) Write(p []byte) (int, error) {
	if err := s.c.write(p, s.st); err != nil {
		s.dirty = true
		return 0, err
	}
	return len(p), nil
}

func (c *framedConn) handleCarefully(st *framedStream, do func(io.StringWriter)) {
	s := carefulStates.Get().(*carefulState)
	s.c, s.st = c, st
	s.bw.Reset(s)
	do(s.bw)
	s.bw.Flush()
	s.c, s.st = nil, nil
	if s.dirty {
		return
	}
	carefulStates.Put(s)
}

// What the bufio.Writer writes to waits for each frame.

type waitingState struct {
	c  *framedConn
	bw *bufio.Writer
}

var waitingStates = sync.Pool{New: func() any {
	s := new(waitingState)
	s.bw = bufio.NewWriterSize(s, 4096)
	return s
}}

func (s *waitingState) Write(p []byte) (int, error) {
	f := framing{p, make(chan error, 1)}
	s.c.frames <- f
	if err := <-f.done; err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *framedConn) handleAndWait(do func(io.StringWriter)) {
	s := waitingStates.Get().(*waitingState)
	s.c = c
	s.bw.Reset(s)
	do(s.bw)
	s.bw.Flush()
	s.bw.Reset(io.Discard)
	s.c = nil
	waitingStates.Put(s)
}
