// Package putelemscut has lists of pooled values that are cut to length 0 when they are pooled as well.
package putelemscut

import "sync"

// Lists that are put empty, by length, and made as long as needed again.

var texts = sync.Pool{New: func() any { return new([64]byte) }}

var rows = sync.Pool{New: func() any { return make([]*[64]byte, 0, 16) }}

type table struct{ cells []*[64]byte }

func newTable() *table { return &table{cells: rows.Get().([]*[64]byte)} }

func (t *table) grow(n int) bool {
	if n > cap(t.cells) {
		return false
	}
	t.cells = t.cells[:n]
	for k := range t.cells {
		if t.cells[k] == nil {
			t.cells[k] = texts.Get().(*[64]byte)
		}
	}
	return true
}

func (t *table) close() {
	for k := range t.cells {
		if t.cells[k] != nil {
			texts.Put(t.cells[k]) // want `the entries of cells are put here, and stay in it when it is put as well`
		}
	}
	rows.Put(t.cells[:0])
	t.cells = nil
}

// Each entry leaves the list.

type cleanTable struct{ slots []*[64]byte }

func newCleanTable() *cleanTable { return &cleanTable{slots: rows.Get().([]*[64]byte)} }

func (t *cleanTable) grow(n int) bool {
	if n > cap(t.slots) {
		return false
	}
	t.slots = t.slots[:n]
	for k := range t.slots {
		if t.slots[k] == nil {
			t.slots[k] = texts.Get().(*[64]byte)
		}
	}
	return true
}

func (t *cleanTable) close() {
	for k := range t.slots {
		if t.slots[k] != nil {
			texts.Put(t.slots[k])
			t.slots[k] = nil
		}
	}
	rows.Put(t.slots[:0])
	t.slots = nil
}

// What is appended to an empty list replaces what was there.

type newTableRows struct{ added []*[64]byte }

func (t *newTableRows) open() { t.added = rows.Get().([]*[64]byte)[:0] }

func (t *newTableRows) add() { t.added = append(t.added, texts.Get().(*[64]byte)) }

func (t *newTableRows) has(k int) bool { return k < len(t.added) && t.added[k] != nil }

func (t *newTableRows) close() {
	for k := range t.added {
		texts.Put(t.added[k])
	}
	clear(t.added)
	rows.Put(t.added[:0])
	t.added = nil
}
