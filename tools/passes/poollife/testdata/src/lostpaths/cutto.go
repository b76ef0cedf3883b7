// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import "sync"

// A slice that was cut to what is needed is not made anew for want of room.

var labelBytes = sync.Pool{New: func() any { b := make([]byte, 256); return &b }}

func labelRoom(n int) []byte {
	if p := labelBytes.Get().(*[]byte); cap(*p) >= n {
		return (*p)[:n]
	}
	return make([]byte, n)
}

func giveLabel(b []byte) {
	b = b[:cap(b)]
	labelBytes.Put(&b)
}

func bracket(dst, src []byte) []byte {
	if len(dst) < len(src)+2 {
		dst = make([]byte, len(src)+2)
	}
	dst[0] = '['
	n := copy(dst[1:], src)
	dst[n+1] = ']'
	return dst[:n+2]
}

func sendLabel(src []byte, send func([]byte)) { // right
	b := bracket(labelRoom(len(src)+2), src)
	send(b)
	giveLabel(b)
}

// Wrong: there is no room for the brackets.
func sendShort(src []byte, send func([]byte)) {
	b := bracket(labelRoom(len(src)), src) // want `p, taken from labelBytes at line \d+, is not put back on the path that ends here`
	send(b)
	giveLabel(b)
}

// A slice from a pool that is cut to no elements stays where it is.

var tapeBytes = sync.Pool{New: func() any { return make([]byte, 0, 256) }}

type tapeRecorder struct{ tape []byte }

func (r *tapeRecorder) room(n int) bool {
	if r.tape == nil {
		r.tape = tapeBytes.Get().([]byte)
	}
	return len(r.tape)+n <= cap(r.tape)
}

func (r *tapeRecorder) record(b byte) {
	if r.room(1) {
		r.tape = append(r.tape, b)
	}
}

func (r *tapeRecorder) rewind() { r.tape = r.tape[:0] } // right

func (r *tapeRecorder) eject() {
	tapeBytes.Put(r.tape)
	r.tape = nil
}
