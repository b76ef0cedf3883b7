// SPDX-License-Identifier: BSD-3-Clause

package retained

import "sync"

// A list that another function fills from its start.

type rowLabel struct {
	id   int
	tags []*string
}

type rowLabels[T any] struct{ p sync.Pool }

func (r *rowLabels[T]) take() []T {
	if v, ok := r.p.Get().(*[]T); ok {
		return *v
	}
	return nil
}

func (r *rowLabels[T]) give(v []T) { r.p.Put(&v) }

type rowReader interface {
	rows(into []rowLabel) []rowLabel
	widths(into []int) []int
}

type rowIndex struct {
	labels rowLabels[rowLabel]
	widths rowLabels[int]
	ids    map[int]int
}

func (x *rowIndex) load(r rowReader) (sum int) {
	rows := r.rows(x.labels.take()[:0])
	for n, row := range rows {
		x.ids[row.id] = n
	}
	x.labels.give(rows) // want `rows goes to the pool \(line 41\) with its elements, and nothing in the package clears slices of rowLabel`
	widths := r.widths(x.widths.take()[:0])
	for _, w := range widths {
		sum += w
	}
	x.widths.give(widths) // right: numbers
	return sum
}
