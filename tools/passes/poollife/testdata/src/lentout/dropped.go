// SPDX-License-Identifier: BSD-3-Clause

package lentout

import "sync"

type entry struct{ text []byte }

var entries = sync.Pool{New: func() any { return new(entry) }}

func newEntry() *entry {
	e := entries.Get().(*entry)
	e.text = e.text[:0]
	return e
}

func (e *entry) str(s string) *entry {
	if e == nil {
		return e
	}
	e.text = append(e.text, s...)
	return e
}

func (e *entry) done() { entries.Put(e) }

type list struct{ text []byte }

func (l *list) copyOf(e *entry) *list {
	if len(l.text) > 0 {
		l.text = append(l.text, ',')
	}
	l.text = append(l.text, e.text...)
	return l
}

func (l *list) consume(e *entry) *list {
	l.text = append(l.text, e.text...)
	e.done()
	return l
}

// mayPut has too many ways through it to be followed: its steps are tests of their own.
func many(l *list, f [12]bool) {
	for i := range f {
		if f[i] {
			l.text = append(l.text, byte(i))
		}
	}
}

func lose(f [12]bool) int {
	l := &list{}
	for _, s := range []string{"a", "b"} {
		many(l, f)
		l.copyOf(newEntry().str(s).str(s)) // want `is used, and neither put back nor given to anyone|not put back`
	}
	return len(l.text)
}

func keep(f [12]bool) int {
	l := &list{}
	for _, s := range []string{"a", "b"} {
		many(l, f)
		l.consume(newEntry().str(s).str(s))
	}
	return len(l.text)
}

var last *entry

func stored() { last = newEntry().str("x") }
