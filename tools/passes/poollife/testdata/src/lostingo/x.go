// SPDX-License-Identifier: BSD-3-Clause

package lostingo

import (
	"bytes"
	"io"
	"net"
	"sync"
)

var frames = sync.Pool{New: func() any { b := make([]byte, 2048); return &b }}

// Wrong: who is handed a frame has a case that forgets it.

func accept(c net.PacketConn, kinds func(byte) int) error {
	for {
		f := frames.Get().(*[]byte) // want `f, taken from frames at line 18, is not put back by the goroutine that it is given to \(line 24\), on the path on which that ends \(line 34\)`
		n, from, err := c.ReadFrom(*f)
		if err != nil {
			frames.Put(f)
			return err
		}
		go answer(c, f, n, from, kinds)
	}
}

func answer(c net.PacketConn, f *[]byte, n int, from net.Addr, kinds func(byte) int) {
	switch kinds((*f)[0]) {
	case 1:
		c.WriteTo((*f)[:n], from)
		frames.Put(f)
	case 2:
		return
	default:
		(*f)[0] = 0
		c.WriteTo((*f)[:1], from)
		frames.Put(f)
	}
}

// Right: on all ways.

func acceptAll(c net.PacketConn, kinds func(byte) int) error {
	for {
		f := frames.Get().(*[]byte)
		n, from, err := c.ReadFrom(*f)
		if err != nil {
			frames.Put(f)
			return err
		}
		go answerAll(c, f, n, from, kinds)
	}
}

func answerAll(c net.PacketConn, f *[]byte, n int, from net.Addr, kinds func(byte) int) {
	switch kinds((*f)[0]) {
	case 1:
		c.WriteTo((*f)[:n], from)
		frames.Put(f)
	case 2:
		frames.Put(f)
		return
	default:
		frames.Put(f)
		c.WriteTo([]byte{0}, from)
	}
}

// Right: one way leaves it to others.

type relay struct {
	mu    sync.Mutex
	later []*[]byte
	ready chan *[]byte
}

func (r *relay) accept(in io.Reader, kinds func(byte) int) {
	f := frames.Get().(*[]byte)
	if _, err := in.Read(*f); err != nil {
		frames.Put(f)
		return
	}
	go r.sort(f, kinds)
}

func (r *relay) sort(f *[]byte, kinds func(byte) int) {
	switch kinds((*f)[0]) {
	case 1:
		r.mu.Lock()
		r.later = append(r.later, f)
		r.mu.Unlock()
		return
	case 2:
		r.ready <- f
		return
	case 3:
		(*f)[0] = 0
		frames.Put(f)
		return
	}
	frames.Put(f)
}

// Right: who started it still has it, and puts it when it is done.

func copyBoth(dst io.Writer, src io.Reader, keep func(byte) bool) {
	f := frames.Get().(*[]byte)
	used := make(chan bool)
	src.Read(*f)
	go func(f *[]byte) {
		if keep((*f)[0]) {
			used <- true
			return
		}
		frames.Put(f)
		close(used)
	}(f)
	if <-used {
		dst.Write(*f)
		frames.Put(f)
	}
}

// Right: what grew too large is dropped.

var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func logAll(lines []string, w io.Writer) {
	for _, l := range lines {
		b := texts.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString(l)
		go logOne(b, w)
	}
}

func logOne(b *bytes.Buffer, w io.Writer) {
	if b.Len() == 0 {
		texts.Put(b)
		return
	}
	w.Write(b.Bytes())
	if b.Cap() > 1<<16 {
		return
	}
	texts.Put(b)
}
