// SPDX-License-Identifier: BSD-3-Clause

package shortened

import (
	"io"
	"sync"
)

// Copies into what comes, as far as that is long.

const most = 1 << 16

var datagrams = sync.Pool{New: func() any { return make([]byte, most) }}

type sender struct {
	queue chan []byte
	done  chan struct{}
}

func (s *sender) send(p []byte) {
	d := datagrams.Get().([]byte)
	n := copy(d, p)
	select {
	case s.queue <- d[:n]:
	default:
		datagrams.Put(d) // want `by value`
	}
}

func (s *sender) run(w io.Writer) {
	for {
		select {
		case d := <-s.queue:
			w.Write(d)
			datagrams.Put(d) // want `by value` `goes to datagrams with the length of its last use`
		case <-s.done:
			return
		}
	}
}

var wholeOnes = sync.Pool{New: func() any { return make([]byte, most) }}

type wholeSender struct {
	queue chan []byte
	done  chan struct{}
}

// This one sends no longer slice than it is told to, and puts it whole.
func (s *wholeSender) send(p []byte) {
	d := wholeOnes.Get().([]byte)
	n := copy(d, p)
	select {
	case s.queue <- d[:n]:
	default:
		wholeOnes.Put(d) // want `by value`
	}
}

func (s *wholeSender) run(w io.Writer) {
	for {
		select {
		case d := <-s.queue:
			w.Write(d)
			wholeOnes.Put(d[:cap(d)]) // want `by value`
		case <-s.done:
			return
		}
	}
}

var lengthened = sync.Pool{New: func() any { return make([]byte, most) }}

// Who gets a short one makes it long again.
func relay(w io.Writer, p []byte) {
	d := lengthened.Get().([]byte)
	d = d[:cap(d)]
	n := copy(d, p)
	d = d[:n]
	w.Write(d)
	lengthened.Put(d) // want `by value`
}

var checked = sync.Pool{New: func() any { return make([]byte, most) }}

// The copy says nothing about what fitted: whoever gets one looks at its length.
func record(w io.Writer, p []byte) {
	d := checked.Get().([]byte)
	if len(d) < len(p) {
		d = make([]byte, most)
	}
	copy(d, p)
	w.Write(d[:len(p)])
	checked.Put(d[:len(p)]) // want `by value`
}
