// SPDX-License-Identifier: BSD-3-Clause

// Package givenentries has pooled lists with entries of the package's own and of others.
package givenentries

import "sync"

type source interface{ Rows() []row }

// Wrong: the rows of the sources stay behind the length of 0, and load fills their cells.

type row struct {
	name  string
	cells []int
}

type sheet struct{ rows []row }

var sheets = sync.Pool{New: func() any { return new(sheet) }}

func (s *sheet) load(names []string, cells []int) {
	n := len(names)
	if cap(s.rows) < n {
		s.rows = make([]row, n)
	}
	s.rows = s.rows[:n]
	for k := range s.rows {
		r := &s.rows[k]
		r.name = names[k]
		r.cells = append(r.cells[:0], cells...)
	}
}

func total(names []string, cells []int, more []source) (sum int) {
	s := sheets.Get().(*sheet)
	s.load(names, cells)
	for _, m := range more {
		s.rows = append(s.rows, m.Rows()...)
	}
	for k := range s.rows {
		sum += len(s.rows[k].cells)
	}
	s.rows = s.rows[:0] // want `field rows of the pooled sheet keeps the entries that others gave`
	sheets.Put(s)
	return sum
}

// Right: the rows are cleared.

type clearedRow struct {
	name  string
	cells []int
}

type clearedSource interface{ ClearedRows() []clearedRow }

type clearedSheet struct{ rows []clearedRow }

var clearedSheets = sync.Pool{New: func() any { return new(clearedSheet) }}

func (s *clearedSheet) load(names []string, cells []int) int {
	n := len(names)
	if cap(s.rows) < n {
		s.rows = make([]clearedRow, n)
	}
	s.rows = s.rows[:n]
	for k := range s.rows {
		r := &s.rows[k]
		r.name = names[k]
		r.cells = append(r.cells[:0], cells...)
	}
	return n
}

func totalCleared(names []string, cells []int, more []clearedSource) (sum int) {
	s := clearedSheets.Get().(*clearedSheet)
	own := s.load(names, cells)
	for _, m := range more {
		s.rows = append(s.rows, m.ClearedRows()...)
	}
	for k := range s.rows {
		sum += len(s.rows[k].cells)
	}
	clear(s.rows[own:])
	s.rows = s.rows[:0]
	clearedSheets.Put(s)
	return sum
}

// Right: the cells are copied.

type copiedRow struct {
	name  string
	cells []int
}

type copiedSource interface{ CopiedRows() []copiedRow }

type copiedSheet struct{ rows []copiedRow }

var copiedSheets = sync.Pool{New: func() any { return new(copiedSheet) }}

func (s *copiedSheet) add(name string, cells []int) {
	n := len(s.rows)
	if n < cap(s.rows) {
		s.rows = s.rows[:n+1]
	} else {
		s.rows = append(s.rows, copiedRow{})
	}
	r := &s.rows[n]
	r.name = name
	r.cells = append(r.cells[:0], cells...)
}

func totalCopied(name string, cells []int, more []copiedSource) (sum int) {
	s := copiedSheets.Get().(*copiedSheet)
	s.add(name, cells)
	for _, m := range more {
		for _, r := range m.CopiedRows() {
			s.add(r.name, r.cells)
		}
	}
	for k := range s.rows {
		sum += len(s.rows[k].cells)
	}
	s.rows = s.rows[:0]
	copiedSheets.Put(s)
	return sum
}

// Right: the cells of an old row are let go of.

type freshRow struct {
	name  string
	cells []int
}

type freshSource interface{ FreshRows() []freshRow }

type freshSheet struct{ rows []freshRow }

var freshSheets = sync.Pool{New: func() any { return new(freshSheet) }}

func (s *freshSheet) load(names []string, cells []int) {
	n := len(names)
	if cap(s.rows) < n {
		s.rows = make([]freshRow, n)
	}
	s.rows = s.rows[:n]
	for k := range s.rows {
		r := &s.rows[k]
		r.name = names[k]
		r.cells = make([]int, len(cells))
		copy(r.cells, cells)
	}
}

func totalFresh(names []string, cells []int, more []freshSource) (sum int) {
	s := freshSheets.Get().(*freshSheet)
	s.load(names, cells)
	for _, m := range more {
		s.rows = append(s.rows, m.FreshRows()...)
	}
	for k := range s.rows {
		sum += len(s.rows[k].cells)
	}
	s.rows = s.rows[:0]
	freshSheets.Put(s)
	return sum
}

// Right: the one type in view makes new rows.

type madeRow struct {
	name  string
	cells []int
}

type madeSource interface{ MadeRows() []madeRow }

type maker struct{ names []string }

func (m maker) MadeRows() (rows []madeRow) {
	for _, n := range m.names {
		rows = append(rows, madeRow{name: n, cells: make([]int, 1)})
	}
	return rows
}

type madeSheet struct{ rows []madeRow }

var madeSheets = sync.Pool{New: func() any { return new(madeSheet) }}

func (s *madeSheet) load(names []string, cells []int) {
	n := len(names)
	if cap(s.rows) < n {
		s.rows = make([]madeRow, n)
	}
	s.rows = s.rows[:n]
	for k := range s.rows {
		r := &s.rows[k]
		r.name = names[k]
		r.cells = append(r.cells[:0], cells...)
	}
}

func totalMade(names []string, cells []int, more []madeSource) (sum int) {
	s := madeSheets.Get().(*madeSheet)
	s.load(names, cells)
	for _, m := range more {
		s.rows = append(s.rows, m.MadeRows()...)
	}
	for k := range s.rows {
		sum += len(s.rows[k].cells)
	}
	s.rows = s.rows[:0]
	madeSheets.Put(s)
	return sum
}
