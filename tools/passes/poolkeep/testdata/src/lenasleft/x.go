// SPDX-License-Identifier: BSD-3-Clause

// Package lenasleft has pools of slices that are made with length 0.
package lenasleft

import "sync"

// Wrong: the slice goes back as long as it was, and room takes its length for what is in use.

var tapes [4]*sync.Pool

func init() {
	for k := range tapes {
		size := 256 << k
		tapes[k] = &sync.Pool{New: func() any { return make([]byte, 0, size) }}
	}
}

type recorder struct {
	tape []byte
	reel int
}

func (r *recorder) room(n int) bool {
	if r.tape == nil {
		r.tape = tapes[r.reel].Get().([]byte)
	}
	return len(r.tape)+n <= cap(r.tape) // want `r\.tape, taken from tapes at line 26, is asked for its length without a reset`
}

func (r *recorder) record(b byte) {
	if r.room(1) {
		r.tape = append(r.tape, b)
	}
}

func (r *recorder) eject() {
	tapes[r.reel].Put(r.tape)
	r.tape = nil
}

// Right: it is cut before the Put.

var cutTapes = sync.Pool{New: func() any { return make([]byte, 0, 256) }}

type cutRecorder struct{ tape []byte }

func (r *cutRecorder) room(n int) bool {
	if r.tape == nil {
		r.tape = cutTapes.Get().([]byte)
	}
	return len(r.tape)+n <= cap(r.tape)
}

func (r *cutRecorder) record(b byte) {
	if r.room(1) {
		r.tape = append(r.tape, b)
	}
}

func (r *cutRecorder) eject() {
	cutTapes.Put(r.tape[:0])
	r.tape = nil
}

// Right: whoever ejects has rewound.

var woundTapes = sync.Pool{New: func() any { return make([]byte, 0, 256) }}

type woundRecorder struct{ tape []byte }

func (r *woundRecorder) room(n int) bool {
	if r.tape == nil {
		r.tape = woundTapes.Get().([]byte)
	}
	return len(r.tape)+n <= cap(r.tape)
}

func (r *woundRecorder) record(b byte) {
	if r.room(1) {
		r.tape = append(r.tape, b)
	}
}

func (r *woundRecorder) rewind() { r.tape = r.tape[:0] }

func (r *woundRecorder) eject() {
	woundTapes.Put(r.tape)
	r.tape = nil
}

// Right: the taker cuts it.

var takenTapes = sync.Pool{New: func() any { return make([]byte, 0, 256) }}

type takenRecorder struct{ tape []byte }

func (r *takenRecorder) room(n int) bool {
	if r.tape == nil {
		r.tape = takenTapes.Get().([]byte)[:0]
	}
	return len(r.tape)+n <= cap(r.tape)
}

func (r *takenRecorder) record(b byte) {
	if r.room(1) {
		r.tape = append(r.tape, b)
	}
}

func (r *takenRecorder) eject() {
	takenTapes.Put(r.tape)
	r.tape = nil
}

// Right: slices of this pool have the length that is asked of them.

var fullTapes = sync.Pool{New: func() any { return make([]byte, 256) }}

type fullRecorder struct {
	tape []byte
	at   int
}

func (r *fullRecorder) room(n int) bool {
	if r.tape == nil {
		r.tape = fullTapes.Get().([]byte)
	}
	return r.at+n <= len(r.tape)+1
}

func (r *fullRecorder) eject() {
	fullTapes.Put(r.tape)
	r.tape = nil
}
