// SPDX-License-Identifier: BSD-3-Clause

// Package units has pooled values with a buffer of another pool in them.
package units

import (
	"sync"

	"partput/bufs"
)

type Work struct {
	buf   []byte
	rows  []int
	since uint64
}

var works sync.Pool

func Get() *Work {
	v := works.Get()
	if v == nil {
		return &Work{}
	}
	return v.(*Work)
}

func Put(w *Work) {
	bufs.Give(w.buf)
	w.reset()
	works.Put(w)
}

func (w *Work) Set(b []byte) { w.buf = b }

func (w *Work) reset() {
	if (len(w.buf)*4 > cap(w.buf) || len(w.rows)*4 > cap(w.rows)) && w.since > 10 {
		w.buf = nil
		w.rows = nil
		w.since = 0
	}
	w.rows = w.rows[:0]
	w.buf = w.buf[:0]
}

func (w *Work) Decode() int { w.rows = append(w.rows, len(w.buf)); return len(w.rows) }
