// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"io"
	"sync"
)

// A goroutine has the object that has the buffer, and works with another field of it.

var inputs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type input struct {
	box *[]byte
	buf []byte
}

func (in *input) take() {
	in.box = inputs.Get().(*[]byte)
	in.buf = (*in.box)[:0]
}

func (in *input) give() {
	if in.box != nil {
		inputs.Put(in.box)
		in.box, in.buf = nil, nil
	}
}

func (in *input) read(r io.Reader) error {
	n, err := r.Read(in.buf[len(in.buf):cap(in.buf)])
	in.buf = in.buf[:len(in.buf)+n]
	return err
}

type lines struct{ out chan string }

type lineSession struct {
	in    *input
	lines *lines
}

func (s *lineSession) loop(r io.Reader) {
	s.in = &input{}
	s.in.take()
	for s.in.read(r) == nil {
		s.lines.out <- string(s.in.buf)
		s.in.give()
		s.in.take()
	}
	s.in.give()
}

func serveLines(r io.Reader, handle func(string)) {
	s := &lineSession{lines: &lines{out: make(chan string, 8)}}
	go func() {
		for l := range s.lines.out {
			handle(l)
		}
	}()
	s.loop(r)
}

// This one reads what is put.
func servePrefixes(r io.Reader, handle func(byte)) {
	s := &lineSession{lines: &lines{out: make(chan string, 8)}, in: &input{}}
	s.in.take()
	go func() {
		for range s.lines.out {
			handle(s.in.buf[0])
		}
	}()
	if s.in.read(r) == nil {
		s.lines.out <- "x"
	}
	s.in.give() // want `may still use it`
}
