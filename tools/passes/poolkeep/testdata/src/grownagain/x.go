// SPDX-License-Identifier: BSD-3-Clause

// Package grownagain has slices in pooled structs that grow into their capacity.
package grownagain

import "sync"

type item struct {
	key  string
	note *string
}

// A whole is emptied as a whole: its slice starts anew.
type whole struct {
	name  string
	items []*item
}

var wholes = sync.Pool{New: func() any { return new(whole) }}

func (w *whole) free() {
	*w = whole{}
	wholes.Put(w)
}

func (w *whole) add(p []byte) {
	if len(w.items) == cap(w.items) {
		w.items = append(w.items, &item{})
	} else {
		w.items = w.items[:len(w.items)+1]
		if w.items[len(w.items)-1] == nil {
			w.items[len(w.items)-1] = &item{}
		}
	}
	w.items[len(w.items)-1].fill(p)
}

// A kept keeps its slice, and the items behind its end.
type kept struct {
	name  string
	items []*entry
}

type entry struct {
	key  string
	note *string
}

var keeps = sync.Pool{New: func() any { return new(kept) }}

func (w *kept) free() {
	w.name = ""
	w.items = w.items[:0]
	keeps.Put(w)
}

func (w *kept) add(p []byte) {
	if len(w.items) == cap(w.items) {
		w.items = append(w.items, &entry{})
	} else {
		w.items = w.items[:len(w.items)+1]
		if w.items[len(w.items)-1] == nil {
			w.items[len(w.items)-1] = &entry{}
		}
	}
	w.items[len(w.items)-1].fill(p) // want `fields key, note of the entry in a slice that is used again are set only where they apply, and never emptied`
}

func (e *item) fill(p []byte) {
	for _, c := range p {
		switch c {
		case 1:
			e.key = string(p)
		case 2:
			s := string(p)
			e.note = &s
		}
	}
}

func (e *entry) fill(p []byte) {
	for _, c := range p {
		switch c {
		case 1:
			e.key = string(p)
		case 2:
			s := string(p)
			e.note = &s
		}
	}
}

func use(p []byte) int {
	w, k := wholes.Get().(*whole), keeps.Get().(*kept)
	defer w.free()
	defer k.free()
	w.add(p)
	k.add(p)
	return len(w.items) + len(k.items)
}
