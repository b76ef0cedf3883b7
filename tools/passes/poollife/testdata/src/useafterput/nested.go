// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import "sync"

var cellBufs = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

type cellRow struct{ key, val []byte }

type rowSink interface {
	AddRow(r cellRow)
	AddPtr(r *cellRow)
	AddAll(rows [][]byte)
}

func rowOfPut(s rowSink, src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	r := cellRow{key: (*b)[:1], val: (*b)[1:]}
	cellBufs.Put(b)
	s.AddRow(r) // want `b is passed to AddRow after it was put`
}

func rowBeforePut(s rowSink, src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	r := cellRow{key: (*b)[:1], val: (*b)[1:]}
	s.AddRow(r)
	cellBufs.Put(b)
}

func rowsOfPut(s rowSink, src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	rows := [][]byte{(*b)[:1], (*b)[1:]}
	cellBufs.Put(b)
	s.AddAll(rows) // want `b is passed to AddAll after it was put`
}

func rowsInTurns(s rowSink, srcs [][]byte) {
	var rows [][]byte
	for _, src := range srcs {
		b := cellBufs.Get().(*[]byte)
		*b = append((*b)[:0], src...)
		rows = append(rows[:0], (*b)[:1], (*b)[1:])
		s.AddAll(rows)
		cellBufs.Put(b)
	}
}

// The next user fills the row.
func rowToFill(s rowSink, src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	r := &cellRow{key: *b}
	cellBufs.Put(b)
	s.AddPtr(r)
}

func rowCleared(s rowSink, src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	r := cellRow{key: (*b)[:1]}
	cellBufs.Put(b)
	r.key = nil
	s.AddRow(r)
}
