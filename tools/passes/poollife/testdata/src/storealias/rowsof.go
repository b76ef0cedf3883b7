// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"strings"
	"sync"
	"unsafe"
)

// Strings in structs that are appended by value, and found again in a loop.

type rowOf struct {
	metric string
	value  float64
}

type rowWork struct {
	buf  []byte
	rows []rowOf
}

var rowWorks = sync.Pool{New: func() any { return new(rowWork) }}

type rowSeries struct {
	name string
	v    float64
}

type rowScraper struct {
	batch []rowSeries
	one   string
	push  func([]rowSeries)
}

type cleanScraper struct {
	batch []rowSeries
	one   string
	push  func([]rowSeries)
}

func (w *rowWork) text() string { return unsafe.String(unsafe.SliceData(w.buf), len(w.buf)) }

func putRowWork(w *rowWork) {
	if cap(w.buf) > 1<<16 {
		return
	}
	clear(w.rows)
	w.rows = w.rows[:0]
	rowWorks.Put(w)
}

func (s *rowScraper) byIndex(b []byte) {
	w := rowWorks.Get().(*rowWork)
	w.buf = append(w.buf[:0], b...)
	w.rows = append(w.rows, rowOf{w.text(), 1})
	for i := range w.rows {
		s.batch = append(s.batch, rowSeries{w.rows[i].metric, 1}) // want `keeps memory of w after the value was put`
	}
	putRowWork(w)
}

func (s *rowScraper) byValue(b []byte) {
	w := rowWorks.Get().(*rowWork)
	w.buf = append(w.buf[:0], b...)
	for rest := w.text(); rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		w.rows = append(w.rows, rowOf{line, 1})
	}
	for _, r := range w.rows {
		s.one = r.metric // want `keeps memory of w after the value was put`
	}
	putRowWork(w)
}

func (s *rowScraper) rest(b []byte) {
	w := rowWorks.Get().(*rowWork)
	w.buf = append(w.buf[:0], b...)
	_, s.one, _ = strings.Cut(w.text(), "\n") // want `keeps memory of w after the value was put`
	putRowWork(w)
}

func (s *cleanScraper) byClone(b []byte) {
	w := rowWorks.Get().(*rowWork)
	w.buf = append(w.buf[:0], b...)
	w.rows = append(w.rows, rowOf{w.text(), 1})
	for _, r := range w.rows {
		s.one = strings.Clone(r.metric)
		s.batch = append(s.batch, rowSeries{strings.Clone(r.metric), r.value})
	}
	putRowWork(w)
}

func eachRow(b []byte, f func([]rowOf)) {
	w := rowWorks.Get().(*rowWork)
	w.buf = append(w.buf[:0], b...)
	w.rows = append(w.rows, rowOf{w.text(), 1})
	f(w.rows)
	putRowWork(w)
}

func (s *rowScraper) later(b []byte) {
	eachRow(b, func(rows []rowOf) {
		for i := range rows {
			s.batch = append(s.batch, rowSeries{rows[i].metric, 1})
		}
	})
	s.push(s.batch) // want `is passed to a function after it was put`
	clear(s.batch)
	s.batch = s.batch[:0]
}

func (s *cleanScraper) within(b []byte) {
	eachRow(b, func(rows []rowOf) {
		for i := range rows {
			s.batch = append(s.batch, rowSeries{rows[i].metric, 1})
		}
		s.push(s.batch)
		clear(s.batch)
		s.batch = s.batch[:0]
	})
}

func (s *cleanScraper) cloned(b []byte) {
	eachRow(b, func(rows []rowOf) {
		for i := range rows {
			s.batch = append(s.batch, rowSeries{strings.Clone(rows[i].metric), 1})
		}
	})
	s.push(s.batch)
	clear(s.batch)
	s.batch = s.batch[:0]
}
