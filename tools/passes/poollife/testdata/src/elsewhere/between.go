// SPDX-License-Identifier: BSD-3-Clause

package elsewhere

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// A small struct between a bufio.Writer and the pooled state that has it.

type chunkState struct {
	c    *framedConn
	st   *framedStream
	bw   *bufio.Writer
	sent int
}

type chunks struct{ s *chunkState }

func (w chunks) Write(p []byte) (int, error) { return w.s.chunk(p) }

func (s *chunkState) chunk(p []byte) (int, error) {
	if err := s.c.write(p, s.st); err != nil {
		return 0, err
	}
	s.sent += len(p)
	return len(p), nil
}

var chunkStates = sync.Pool{New: func() any {
	s := new(chunkState)
	s.bw = bufio.NewWriterSize(chunks{s}, 4096)
	return s
}}

type chunkResponse struct{ s *chunkState }

func (c *framedConn) response(st *framedStream) *chunkResponse {
	s := chunkStates.Get().(*chunkState)
	bw := s.bw
	*s = chunkState{}
	s.c, s.st, s.bw = c, st, bw
	s.bw.Reset(chunks{s})
	return &chunkResponse{s}
}

func (r *chunkResponse) Write(p []byte) (int, error) { return r.s.bw.Write(p) }

func (r *chunkResponse) end() {
	s := r.s
	s.bw.Flush()
	r.s, s.c, s.st = nil, nil, nil
	chunkStates.Put(s) // want `s is put in chunkStates while the receiver from the channel \(line 36 of framed.go\) may still use it`
}

func (c *framedConn) respond(st *framedStream, do func(io.Writer)) {
	r := c.response(st)
	defer r.end()
	do(r)
}

// By its address, with something else beside the state.
type partState struct {
	bw *bufio.Writer
	n  int
}

type partsOf struct {
	c  *framedConn
	st *framedStream
	s  *partState
}

func (w *partsOf) Write(p []byte) (int, error) {
	w.s.n++
	if err := w.c.write(p, w.st); err != nil {
		return 0, err
	}
	return len(p), nil
}

var partStates = sync.Pool{New: func() any { return &partState{bw: bufio.NewWriter(nil)} }}

func (c *framedConn) parts(st *framedStream, do func(io.StringWriter)) {
	s := partStates.Get().(*partState)
	s.bw.Reset(&partsOf{c: c, st: st, s: s})
	do(s.bw)
	s.bw.Flush()
	s.n = 0
	partStates.Put(s) // want `s is put in partStates while the receiver from the channel \(line 36 of framed.go\) may still use it`
}

// A flag of the struct between decides whether it waits.
type flagState struct {
	bw *bufio.Writer
	n  int
}

type flagged struct {
	c    *framedConn
	st   *framedStream
	s    *flagState
	wait bool
}

func (w *flagged) Write(p []byte) (int, error) {
	w.s.n++
	if w.wait {
		f := framing{p, make(chan error, 1)}
		w.c.frames <- f
		return len(p), <-f.done
	}
	return len(p), w.c.write(p, w.st)
}

var flagStates = sync.Pool{New: func() any { return &flagState{bw: bufio.NewWriter(nil)} }}

func (c *framedConn) flags(st *framedStream, do func(io.StringWriter)) {
	s := flagStates.Get().(*flagState)
	s.bw.Reset(&flagged{c, st, s, true})
	do(s.bw)
	s.bw.Flush()
	s.n = 0
	flagStates.Put(s)
}

// The state remembers that a chunk was not waited for, and is not put then.
type dirtyState struct {
	c     *framedConn
	st    *framedStream
	bw    *bufio.Writer
	dirty bool
}

type dirtyChunks struct{ s *dirtyState }

func (w dirtyChunks) Write(p []byte) (int, error) {
	if err := w.s.c.write(p, w.s.st); err != nil {
		w.s.dirty = true
		return 0, err
	}
	return len(p), nil
}

var dirtyStates = sync.Pool{New: func() any {
	s := new(dirtyState)
	s.bw = bufio.NewWriterSize(dirtyChunks{s}, 4096)
	return s
}}

func (c *framedConn) dirties(st *framedStream, do func(io.StringWriter)) {
	s := dirtyStates.Get().(*dirtyState)
	s.c, s.st, s.dirty = c, st, false
	s.bw.Reset(dirtyChunks{s})
	do(s.bw)
	s.bw.Flush()
	s.c, s.st = nil, nil
	if !s.dirty {
		dirtyStates.Put(s)
	}
}

// What is between gives copies on.
type cloneState struct {
	c  *framedConn
	st *framedStream
	bw *bufio.Writer
}

type clones struct{ s *cloneState }

func (w clones) Write(p []byte) (int, error) {
	return len(p), w.s.c.write(bytes.Clone(p), w.s.st)
}

var cloneStates = sync.Pool{New: func() any {
	s := new(cloneState)
	s.bw = bufio.NewWriterSize(clones{s}, 4096)
	return s
}}

func (c *framedConn) cloned(st *framedStream, do func(io.StringWriter)) {
	s := cloneStates.Get().(*cloneState)
	s.c, s.st = c, st
	s.bw.Reset(clones{s})
	do(s.bw)
	s.bw.Flush()
	s.c, s.st = nil, nil
	cloneStates.Put(s)
}

// It waits for each chunk.
type waitState struct {
	c  *framedConn
	bw *bufio.Writer
}

type waits struct{ s *waitState }

func (w waits) Write(p []byte) (int, error) {
	f := framing{p, make(chan error, 1)}
	w.s.c.frames <- f
	if err := <-f.done; err != nil {
		return 0, err
	}
	return len(p), nil
}

var waitStates = sync.Pool{New: func() any {
	s := new(waitState)
	s.bw = bufio.NewWriterSize(waits{s}, 4096)
	return s
}}

func (c *framedConn) waited(do func(io.StringWriter)) {
	s := waitStates.Get().(*waitState)
	s.c = c
	s.bw.Reset(waits{s})
	do(s.bw)
	s.bw.Flush()
	s.c = nil
	waitStates.Put(s)
}
