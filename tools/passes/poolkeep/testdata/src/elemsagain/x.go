// SPDX-License-Identifier: BSD-3-Clause

package elemsagain

import (
	"strconv"
	"sync"
)

type note struct{ level, text string }

type notes []note

func (n *notes) fill(in []map[string]string) {
	if cap(*n) < len(in) {
		*n = make(notes, len(in))
	} else {
		*n = (*n)[:len(in)]
	}
	for i, m := range in {
		if v, ok := m["level"]; ok {
			(*n)[i].level = v // want "fields level, text of the note in a slice that is used again are set only where they apply, and never emptied"
		}
		if v, ok := m["text"]; ok {
			(*n)[i].text = v
		}
	}
}

type page struct {
	path  string
	notes notes
}

var pages = sync.Pool{New: func() any { return new(page) }}

func putPage(p *page) {
	p.path = ""
	p.notes = p.notes[:0]
	pages.Put(p) // want "cut to length 0 .* but not cleared"
}

func show(path string, in []map[string]string, h func(*page)) {
	p := pages.Get().(*page)
	defer putPage(p)
	p.path = path
	p.notes.fill(in)
	h(p)
}

// The same by the field itself, in the arms of a switch.
type cell struct {
	name string
	size int
}

type row struct{ cells []cell }

var rows = sync.Pool{New: func() any { return new(row) }}

type attr struct{ key, text string }

func (r *row) parse(in [][]attr) {
	if cap(r.cells) >= len(in) {
		r.cells = r.cells[:len(in)]
	} else {
		r.cells = make([]cell, len(in))
	}
	for i, list := range in {
		for _, x := range list {
			switch x.key {
			case "name":
				r.cells[i].name = x.text // want "fields name, size of the cell in a slice that is used again are set only where they apply"
			case "size":
				r.cells[i].size, _ = strconv.Atoi(x.text)
			}
		}
	}
}

func withRow(in [][]attr, f func(*row)) {
	r := rows.Get().(*row)
	r.parse(in)
	f(r)
	rows.Put(r)
}

// Right: what goes back is cleared.
type clearedPage struct{ notes notes2 }

type note2 struct{ level, text string }

type notes2 []note2

func (n *notes2) fill(in []map[string]string) {
	if cap(*n) < len(in) {
		*n = make(notes2, len(in))
	} else {
		*n = (*n)[:len(in)]
	}
	for i, m := range in {
		if v, ok := m["level"]; ok {
			(*n)[i].level = v
		}
		if v, ok := m["text"]; ok {
			(*n)[i].text = v
		}
	}
}

var clearedPages = sync.Pool{New: func() any { return new(clearedPage) }}

func showCleared(in []map[string]string, h func(*clearedPage)) {
	p := clearedPages.Get().(*clearedPage)
	p.notes.fill(in)
	h(p)
	clear(p.notes[:cap(p.notes)])
	p.notes = p.notes[:0]
	clearedPages.Put(p)
}

// Right: each element is emptied first.
type emptiedPage struct{ notes notes3 }

type note3 struct{ level, text string }

type notes3 []note3

func (n *notes3) fill(in []map[string]string) {
	if cap(*n) < len(in) {
		*n = make(notes3, len(in))
	} else {
		*n = (*n)[:len(in)]
	}
	for i, m := range in {
		(*n)[i] = note3{}
		if v, ok := m["level"]; ok {
			(*n)[i].level = v
		}
		if v, ok := m["text"]; ok {
			(*n)[i].text = v
		}
	}
}

var emptiedPages = sync.Pool{New: func() any { return new(emptiedPage) }}

func showEmptied(in []map[string]string, h func(*emptiedPage)) {
	p := emptiedPages.Get().(*emptiedPage)
	p.notes.fill(in)
	h(p)
	emptiedPages.Put(p)
}

// Right: what is not there is set to what stands for that.
type fullPage struct{ notes notes4 }

type note4 struct{ level, text string }

type notes4 []note4

func (n *notes4) fill(in []map[string]string) {
	if cap(*n) < len(in) {
		*n = make(notes4, len(in))
	} else {
		*n = (*n)[:len(in)]
	}
	for i, m := range in {
		if v, ok := m["level"]; ok {
			(*n)[i].level = v
		} else {
			(*n)[i].level = "info"
		}
		if v, ok := m["text"]; ok {
			(*n)[i].text = v
		} else {
			(*n)[i].text = ""
		}
	}
}

var fullPages = sync.Pool{New: func() any { return new(fullPage) }}

func showFull(in []map[string]string, h func(*fullPage)) {
	p := fullPages.Get().(*fullPage)
	p.notes.fill(in)
	h(p)
	fullPages.Put(p)
}

// Right: an element is set as a whole, or passed over and not counted.
type span struct{ from, to int }

type spanList struct{ spans []span }

var spanLists = sync.Pool{New: func() any { return new(spanList) }}

func (l *spanList) parse(in []string) {
	if cap(l.spans) >= len(in) {
		l.spans = l.spans[:len(in)]
	} else {
		l.spans = make([]span, len(in))
	}
	n := 0
	for k, s := range in {
		switch s {
		case "":
			l.spans[n].from = k
			l.spans[n].to = k
		case "-":
			l.spans[n].from = 0
			l.spans[n].to = k
		default:
			continue
		}
		n++
	}
	l.spans = l.spans[:n]
}

func withSpans(in []string, f func(*spanList)) {
	l := spanLists.Get().(*spanList)
	l.parse(in)
	f(l)
	if cap(l.spans) > 1000 {
		return
	}
	spanLists.Put(l)
}

// The slice of a generic list.
type item[T any] struct{ key, value T }

type list[T any] struct{ items []item[T] }

func (l *list[T]) fill(keys, values []T, has func(int) bool) {
	if cap(l.items) < len(keys) {
		l.items = make([]item[T], len(keys))
	}
	l.items = l.items[:len(keys)]
	for i := range keys {
		if has(i) {
			l.items[i].key = keys[i] // want "fields key, value of the item in a slice that is used again are set only where they apply"
		}
		if i < len(values) {
			l.items[i].value = values[i]
		}
	}
}

var lists = sync.Pool{New: func() any { return new(list[string]) }}

func withList(keys, values []string, has func(int) bool, f func(*list[string])) {
	l := lists.Get().(*list[string])
	l.fill(keys, values, has)
	f(l)
	lists.Put(l)
}
