// SPDX-License-Identifier: BSD-3-Clause

package storealias

import "sync"

// The slice that is put is named by a field of a struct that the function has a copy of. What its elements
// lead to is put with them.

type tally struct{ n, sum int }

func (t *tally) merge(o *tally) { t.n, t.sum = t.n+o.n, t.sum+o.sum }

type scored struct {
	key   int
	tally *tally
}

var scoreds = sync.Pool{New: func() any { return new([]scored) }}

func takeScored() *[]scored { return scoreds.Get().(*[]scored) }

func (r *report) grow() *scored {
	list := *r.list
	if len(list) < cap(list) {
		list = list[:len(list)+1]
	} else {
		list = append(list, scored{})
	}
	*r.list = list
	t := &list[len(list)-1]
	if t.tally == nil {
		t.tally = new(tally)
	}
	return t
}

type report struct{ list *[]scored }

type round struct{ rows []scored }

func endRound(rows []scored) {
	rows = rows[:0]
	scoreds.Put(&rows)
}

type league struct{ best []*tally }

func (l *league) add(r round) {
	for _, t := range r.rows {
		if l.best[t.key] == nil {
			l.best[t.key] = t.tally // want `an element of a slice or map keeps memory of r.rows after the value was put in scoreds`
			continue
		}
		l.best[t.key].merge(t.tally)
	}
	endRound(r.rows)
}

// Right: it is kept until the Put only.
func (l *league) leader(r round, key int) (sum int) {
	for _, t := range r.rows {
		l.best[t.key] = t.tally
	}
	sum = l.best[key].sum
	for _, t := range r.rows {
		l.best[t.key] = nil
	}
	endRound(r.rows)
	return sum
}

// Right: a copy is kept.
func (l *league) addCopied(r round) {
	for _, t := range r.rows {
		if l.best[t.key] == nil {
			l.best[t.key] = new(tally)
		}
		l.best[t.key].merge(t.tally)
	}
	endRound(r.rows)
}
