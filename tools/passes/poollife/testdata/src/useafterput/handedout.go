// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// What leads handlers to memory in a pool; channels; variables of a goroutine.

var (
	lineReaders sync.Pool
	replies     sync.Pool
	packets     = sync.Pool{New: func() any { return &packet{data: make([]byte, 1500)} }}
	wires       = sync.Pool{New: func() any { return new(wire) }}
)

type body struct{ r *bufio.Reader }

func (b *body) Read(p []byte) (int, error) { return b.r.Read(p) }

type call struct {
	text []byte
	rest io.Reader
}

type host struct {
	stream, frugal bool
	handle         func(*call)
}

func (h *host) serve(c io.Reader) {
	br, _ := lineReaders.Get().(*bufio.Reader)
	if br == nil {
		br = bufio.NewReader(nil)
	}
	br.Reset(c)
	q := &call{}
	if h.stream {
		q.rest = &body{br}
	} else {
		q.text, _ = io.ReadAll(br)
	}
	if h.frugal {
		lineReaders.Put(br)
		h.handle(q) // want `br is passed to .* after it was put in lineReaders`
		return
	}
	h.handle(q)
	lineReaders.Put(br)
}

func (h *host) serveRight(c io.Reader) {
	br, _ := lineReaders.Get().(*bufio.Reader)
	if br == nil {
		br = bufio.NewReader(nil)
	}
	br.Reset(c)
	q := &call{}
	if h.stream {
		q.rest = &body{br}
	} else {
		q.text, _ = io.ReadAll(br)
	}
	if h.frugal && !h.stream {
		lineReaders.Put(br)
		h.handle(q)
		return
	}
	h.handle(q)
	lineReaders.Put(br)
}

type packet struct {
	data []byte
	n    int
}

type wire struct{ in *bytes.Buffer }

func (w *wire) Read(p []byte) (int, error) { return w.in.Read(p) }

func (w *wire) set(p []byte) { w.in = bytes.NewBuffer(p) }

type processor interface{ Process(io.Reader) error }

func process(queue chan *packet, p processor) {
	for k := range queue {
		w := wires.Get().(*wire)
		w.set(k.data[:k.n])
		packets.Put(k)
		p.Process(w) // want `k is passed to Process after it was put in packets`
		wires.Put(w)
	}
}

func processRight(queue chan *packet, p processor) {
	for k := range queue {
		w := wires.Get().(*wire)
		w.set(k.data[:k.n])
		p.Process(w)
		packets.Put(k)
		wires.Put(w)
	}
}

func reply(do func() error) error {
	v := replies.Get()
	if v == nil {
		v = make(chan error, 1)
	}
	ch := v.(chan error)
	go func() {
		err := do()
		replies.Put(v)
		ch <- err // want `v is sent on after it was put in replies`
	}()
	return <-ch
}

func replyRight(do func() error) error {
	v := replies.Get()
	if v == nil {
		v = make(chan error, 1)
	}
	ch := v.(chan error)
	go func() { ch <- do() }()
	err := <-ch
	replies.Put(v)
	return err
}

func replyTwice(do func() error) error {
	v := replies.Get()
	if v == nil {
		v = make(chan error, 1)
	}
	ch := v.(chan error)
	go func() { ch <- do() }()
	replies.Put(ch) // want `while the goroutine started at line \d+ may still use it`
	return <-ch     // want `ch is received from after it was put in replies`
}

// A net.Conn, which has more methods, is no *bufio.Reader.
type endpoint interface {
	io.ReadCloser
	Addr() string
}

func end(r io.Reader, c endpoint) {
	if br, ok := r.(*bufio.Reader); ok {
		lineReaders.Put(br)
	}
	c.Close()
}

func endConn(c endpoint) { go end(c, c) }

// What is left of a slice has bytes where the test says so.
type rest struct {
	held *[]byte
	left []byte
}

var blocks = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func (r *rest) Read(p []byte) (int, error) {
	b := blocks.Get().(*[]byte)
	r.left = nil
	defer func() {
		if len(r.left) == 0 {
			blocks.Put(b)
		}
	}()
	n := copy(p, *b)
	if n < len(*b) {
		r.left = (*b)[n:]
		r.held = b
	}
	return n, nil
}
