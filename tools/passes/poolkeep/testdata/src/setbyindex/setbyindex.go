package setbyindex

import "sync"

// Wrong: slices of full length, whose elements are set by index and stay.
type event struct {
	body  any
	attrs []string
}

var batches = sync.Pool{New: func() any {
	b := make([]event, 1)
	return &b
}}

func emit(e *event, export func([]event) error) error {
	b := batches.Get().(*[]event)
	defer batches.Put(b) // want `nothing in the package clears slices of event`
	(*b)[0] = *e
	return export(*b)
}

// Wrong: by value, the fields one by one.
type cell struct {
	row *row
	n   int
}

type row struct{ name string }

var cells = sync.Pool{New: func() any { return make([]cell, 8) }}

func fill(rows []*row, use func([]cell)) {
	s := cells.Get().([]cell)
	for i := range min(len(rows), len(s)) {
		s[i].row, s[i].n = rows[i], i
	}
	use(s)
	cells.Put(s) // want `nothing in the package clears slices of cell`
}

// Right: cleared before the Put.
type item struct{ val any }

var items = sync.Pool{New: func() any {
	b := make([]item, 4)
	return &b
}}

func send(v any, use func([]item)) {
	p := items.Get().(*[]item)
	defer func() {
		clear(*p)
		items.Put(p)
	}()
	(*p)[0] = item{v}
	use(*p)
}

// Right: the buffers in the elements are their equipment.
var rows = sync.Pool{New: func() any {
	b := make([][]byte, 4)
	return &b
}}

func columns(v []string, use func([][]byte)) {
	p := rows.Get().(*[][]byte)
	for i := range *p {
		(*p)[i] = append((*p)[i][:0], v[i]...)
	}
	use(*p)
	rows.Put(p)
}

// Right: numbers lead nowhere.
var counts = sync.Pool{New: func() any {
	b := make([]int, 4)
	return &b
}}

func count(v []string, use func([]int)) {
	p := counts.Get().(*[]int)
	for i := range *p {
		(*p)[i] = len(v[i])
	}
	use(*p)
	counts.Put(p)
}

// Right: set to nil by somebody.
type node struct{ next *node }

var nodes = sync.Pool{New: func() any {
	b := make([]*node, 4)
	return &b
}}

func link(n *node, use func([]*node)) {
	p := nodes.Get().(*[]*node)
	(*p)[0] = n
	use(*p)
	unlink(*p)
	nodes.Put(p)
}

func unlink(s []*node) {
	for i := range s {
		s[i] = nil
	}
}
