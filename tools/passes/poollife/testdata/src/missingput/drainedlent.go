// SPDX-License-Identifier: BSD-3-Clause

package missingput

import "sync"

// What a receiver lends to a function and reads afterwards is its own still.

var sealed = sync.Pool{New: func() any { b := make([]byte, 1500); return b }}

type sealer struct {
	in   chan []byte
	seal func(dst, src []byte)
	out  [][]byte
}

func newSealer(seal func(dst, src []byte)) *sealer {
	return &sealer{in: make(chan []byte, 4), seal: seal}
}

func (s *sealer) post(p []byte) {
	b := sealed.Get().([]byte)[:len(p)]
	copy(b, p)
	s.in <- b
}

func (s *sealer) work() {
	for b := range s.in { // want `b, received from in, was taken from sealed \(line 22\); it is read here and not put back`
		s.seal(b, b)
		s.out = append(s.out, append([]byte(nil), b...))
	}
}

func giveSealed(b []byte) {
	sealed.Put(b[:cap(b)])
}

// Right: who is given it may put it.
type handler struct {
	in     chan []byte
	handle func(b []byte)
}

func newHandler(handle func(b []byte)) *handler {
	return &handler{in: make(chan []byte, 4), handle: handle}
}

func (h *handler) post(p []byte) {
	b := sealed.Get().([]byte)[:len(p)]
	copy(b, p)
	h.in <- b
}

func (h *handler) work(seen func(first byte)) {
	for b := range h.in {
		seen(b[0])
		h.handle(b)
	}
}

// Right: put when it was sealed.
type putter struct {
	in   chan []byte
	seal func(dst, src []byte)
	out  [][]byte
}

func newPutter(seal func(dst, src []byte)) *putter {
	return &putter{in: make(chan []byte, 4), seal: seal}
}

func (s *putter) post(p []byte) {
	b := sealed.Get().([]byte)[:len(p)]
	copy(b, p)
	s.in <- b
}

func (s *putter) work() {
	for b := range s.in {
		s.seal(b, b)
		s.out = append(s.out, append([]byte(nil), b...))
		giveSealed(b)
	}
}
