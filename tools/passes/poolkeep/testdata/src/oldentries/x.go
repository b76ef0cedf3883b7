// SPDX-License-Identifier: BSD-3-Clause

// Package oldentries has pooled structs with lists of pointers that are used again.
package oldentries

import "sync"

type column struct {
	name string
	text bool
}

// The entries of the last table come back.

type table struct {
	columns []*column
	rows    int
}

var tables = sync.Pool{New: func() any { return new(table) }}

func (t *table) reset(n int) {
	t.rows = 0
	t.columns = t.columns[:0]
	if cap(t.columns) < n {
		t.columns = make([]*column, n)
	} else {
		t.columns = t.columns[:n] // want `the entries of columns stay behind its new length`
	}
}

func describe(names []string, use func(*table)) {
	t := tables.Get().(*table)
	t.reset(len(names))
	for i := range names {
		if t.columns[i] == nil {
			t.columns[i] = &column{name: names[i]}
		}
	}
	use(t)
	tables.Put(t)
}

// The same in two functions: they come back where it is cut.

type sheet struct{ columns []*column }

var sheets = sync.Pool{New: func() any { return new(sheet) }}

func putSheet(s *sheet) {
	s.columns = s.columns[:0] // want `the entries of columns stay behind its new length`
	sheets.Put(s)
}

func getSheet(names []string) *sheet {
	s := sheets.Get().(*sheet)
	for i := range names {
		if len(s.columns) == cap(s.columns) {
			s.columns = append(s.columns, nil)
		} else {
			s.columns = s.columns[:len(s.columns)+1]
		}
		if s.columns[i] == nil {
			s.columns[i] = &column{name: names[i]}
		}
	}
	return s
}
