// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"sync"
	"unsafe"
)

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

// Be it to read the row or to fill it anew, its memory is another's.
func rowOfAll(s rowSink, src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	r := &cellRow{key: *b}
	cellBufs.Put(b)
	s.AddPtr(r) // want `b is passed to AddPtr after it was put`
}

// A function that a field holds is given what was made of the buffer.
type rowFuncs struct {
	add  func(r *cellRow) error
	all  func(rows []cellRow)
	name func(n *named)
}

type named struct {
	name string
	n    int
}

func (f *rowFuncs) put(src []byte) error {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	r := cellRow{val: (*b)[1:]}
	cellBufs.Put(b)
	return f.add(&r) // want `b is passed to a function after it was put`
}

func (f *rowFuncs) putLater(src []byte) error {
	b := cellBufs.Get().(*[]byte)
	defer cellBufs.Put(b)
	*b = append((*b)[:0], src...)
	return f.add(&cellRow{val: (*b)[1:]})
}

func (f *rowFuncs) rows(src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	rows := []cellRow{{key: *b}}
	cellBufs.Put(b)
	f.all(rows) // want `b is passed to a function after it was put`
}

func (f *rowFuncs) named(src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	x := named{unsafe.String(unsafe.SliceData(*b), len(*b)), len(*b)}
	cellBufs.Put(b)
	f.name(&x) // want `b is passed to a function after it was put`
}

func (f *rowFuncs) ownName(src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	x := named{string(*b), len(*b)}
	cellBufs.Put(b)
	f.name(&x)
}

func rowCleared(s rowSink, src []byte) {
	b := cellBufs.Get().(*[]byte)
	*b = append((*b)[:0], src...)
	r := cellRow{key: (*b)[:1]}
	cellBufs.Put(b)
	r.key = nil
	s.AddRow(r)
}
