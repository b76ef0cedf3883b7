package elsewhere

import (
	"bufio"
	"io"
	"sync"
)

// Two functions that set the target of the bufio.Writer in a state.

type servedState struct {
	c  *framedConn
	st *framedStream
	bw *bufio.Writer
}

var servedStates = sync.Pool{New: func() any {
	s := new(servedState)
	s.bw = bufio.NewWriterSize(s, 4096)
	return s
}}

func (s *servedState) Write(p []byte) (int, error) {
	if err := s.c.write(p, s.st); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *framedConn) serveOne(st *framedStream, do func(io.StringWriter)) {
	s := servedStates.Get().(*servedState)
	s.c, s.st = c, st
	s.bw.Reset(s)
	do(s.bw)
	s.bw.Flush()
	s.c, s.st = nil, nil
	servedStates.Put(s) // want `s is put in servedStates while the receiver from the channel \(line 36 of framed.go\) may still use it`
}

func (c *framedConn) serveTitle(st *framedStream, title string) {
	s := servedStates.Get().(*servedState)
	s.c, s.st = c, st
	s.bw.Reset(s)
	s.bw.WriteString(title)
	s.bw.Flush()
	s.c, s.st = nil, nil
	servedStates.Put(s) // want `s is put in servedStates while the receiver from the channel \(line 36 of framed.go\) may still use it`
}

// Right: one way gives copies to the goroutine, the other has its answer awaited.

type mixedState struct {
	c    *framedConn
	bw   *bufio.Writer
	text []byte
}

var mixedStates = sync.Pool{New: func() any {
	s := new(mixedState)
	s.bw = bufio.NewWriterSize(io.Discard, 4096)
	return s
}}

func (s *mixedState) Write(p []byte) (int, error) {
	f := framing{p, make(chan error, 1)}
	s.c.frames <- f
	if err := <-f.done; err != nil {
		return 0, err
	}
	return len(p), nil
}

type mixedCopies struct {
	s  *mixedState
	st *framedStream
}

func (m mixedCopies) Write(p []byte) (int, error) {
	if err := m.s.c.write(append([]byte(nil), p...), m.st); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *framedConn) mixedWaiting(do func(io.StringWriter)) {
	s := mixedStates.Get().(*mixedState)
	s.c = c
	s.bw.Reset(s)
	do(s.bw)
	s.bw.Flush()
	s.c = nil
	mixedStates.Put(s)
}

func (c *framedConn) mixedCopying(st *framedStream, do func(io.StringWriter)) {
	s := mixedStates.Get().(*mixedState)
	s.c = c
	s.bw.Reset(mixedCopies{s, st})
	do(s.bw)
	s.bw.Flush()
	s.c = nil
	mixedStates.Put(s)
}
