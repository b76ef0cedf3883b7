// SPDX-License-Identifier: BSD-3-Clause

package growsbehind

import "sync"

// A window of fixed size never grows beyond it.

var tails = sync.Pool{New: func() any { return make([]byte, 0, 4096) }}

type window struct {
	last []byte
	size int
}

func openWindow() *window { return &window{last: tails.Get().([]byte)[:0], size: 4096} }

func (w *window) add(p []byte) {
	n := len(p)
	had := len(w.last)
	if n+had <= w.size {
		w.last = append(w.last, p...)
		return
	}
	if m := w.size - had; m > 0 {
		w.last = append(w.last, p[:m]...)
		p = p[m:]
		n = len(p)
	}
	if n >= w.size {
		copy(w.last, p[n-w.size:])
		return
	}
	copy(w.last, w.last[n:])
	copy(w.last[w.size-n:], p)
}

func (w *window) close() {
	giveTails(w.last)
	w.last = nil
}

// Nor what is refused where it would.
var heads = sync.Pool{New: func() any { return make([]byte, 0, 256) }}

type lineWriter struct{ line []byte }

func openLine() *lineWriter { return &lineWriter{line: heads.Get().([]byte)[:0]} }

func (w *lineWriter) add(p []byte) bool {
	if 256 < len(w.line)+len(p) {
		return false
	}
	w.line = append(w.line, p...)
	return true
}

func (w *lineWriter) close() {
	giveHeads(w.line)
	w.line = nil
}

// Wrong: nothing asks.
var rows = sync.Pool{New: func() any { return make([]byte, 0, 256) }}

type rowWriter struct {
	row  []byte
	long int
}

func openRow() *rowWriter { return &rowWriter{row: rows.Get().([]byte)[:0]} }

func (w *rowWriter) add(p []byte) {
	if len(p) > 0 {
		w.long++
		w.row = append(w.row, p...)
	}
}

func (w *rowWriter) close() {
	giveRows(w.row)
	w.row = nil
}

func giveTails(b []byte) { tails.Put(b) }

func giveHeads(b []byte) { heads.Put(b) }

func giveRows(b []byte) { rows.Put(b) } // want `rows keeps b, put at line 89, whatever its size`
