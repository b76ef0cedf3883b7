// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"bytes"
	"io"
	"net"
	"sync"
)

// Frames of one buffer, of which those that were written are put.

const (
	shortFrame = 256
	longFrame  = 16384
)

var (
	shortFrames = sync.Pool{New: func() any { return new([shortFrame]byte) }}
	longFrames  = sync.Pool{New: func() any { return new([longFrame]byte) }}
)

func getFrame(n int) []byte {
	if n <= shortFrame {
		return shortFrames.Get().(*[shortFrame]byte)[:0]
	}
	return longFrames.Get().(*[longFrame]byte)[:0]
}

func putFrame(b []byte) {
	switch cap(b) {
	case shortFrame:
		shortFrames.Put((*[shortFrame]byte)(b[:shortFrame]))
	case longFrame:
		longFrames.Put((*[longFrame]byte)(b[:longFrame]))
	}
}

type frameQueue struct {
	c    net.Conn
	left net.Buffers
	most int
}

func (q *frameQueue) cut(src []byte) net.Buffers {
	sink := bytes.NewBuffer(getFrame(len(src))) // want `is not put back on the path`
	sink.Write(src)
	bufs := q.left
	for rest := sink.Bytes(); len(rest) > 0; {
		n := min(len(rest), q.most)
		bufs = append(bufs, rest[:n])
		rest = rest[n:]
	}
	return bufs
}

func (q *frameQueue) flush(src []byte) error {
	bufs := q.cut(src)
	all := append(net.Buffers(nil), bufs...)
	_, err := bufs.WriteTo(q.c)
	for i := 0; i < len(all)-len(bufs); i++ {
		putFrame(all[i]) // want `slices of one buffer \(all\[i\]\) are put one by one, and some of them are kept`
	}
	q.left = append(net.Buffers(nil), bufs...)
	return err
}

func (q *frameQueue) flushRange(src []byte) error {
	b := append(getFrame(len(src)), src...) // want `is not put back on the path`
	var bufs net.Buffers
	for len(b) > 0 {
		n := min(len(b), q.most)
		bufs = append(bufs, b[:n])
		b = b[n:]
	}
	all := append(net.Buffers(nil), bufs...)
	_, err := bufs.WriteTo(q.c)
	for _, b := range all[:len(all)-len(bufs)] {
		putFrame(b) // want `slices of one buffer \(b\) are put one by one, and some of them are kept`
	}
	q.left = append(net.Buffers(nil), bufs...)
	return err
}

// Each frame is a copy.
func (q *frameQueue) flushCopies(src []byte) error {
	var bufs net.Buffers
	for b := src; len(b) > 0; {
		n := min(len(b), q.most)
		bufs = append(bufs, append(getFrame(n), b[:n]...))
		b = b[n:]
	}
	all := append(net.Buffers(nil), bufs...)
	_, err := bufs.WriteTo(q.c)
	for i := 0; i < len(all)-len(bufs); i++ {
		putFrame(all[i])
	}
	q.left = append(net.Buffers(nil), bufs...)
	return err
}

// All of them are written before any is put: of the pieces, the first is the whole.
func (q *frameQueue) flushAll(src []byte) error {
	var bufs net.Buffers
	b := append(getFrame(len(src)), src...) // want `is not put back on the path`
	for len(b) > 0 {
		n := min(len(b), q.most)
		bufs = append(bufs, b[:n])
		b = b[n:]
	}
	for _, b := range bufs {
		if _, err := q.c.Write(b); err != nil {
			return err
		}
	}
	for _, b := range bufs {
		putFrame(b)
	}
	return nil
}

// The pieces are of a buffer that is nobody's.
func (q *frameQueue) flushMade(src []byte, w io.Writer) error {
	var bufs net.Buffers
	for b := bytes.Clone(src); len(b) > 0; {
		n := min(len(b), q.most)
		bufs = append(bufs, b[:n])
		b = b[n:]
	}
	all := append(net.Buffers(nil), bufs...)
	_, err := bufs.WriteTo(q.c)
	for i := 0; i < len(all)-len(bufs); i++ {
		putFrame(all[i])
	}
	q.left = append(net.Buffers(nil), bufs...)
	return err
}
