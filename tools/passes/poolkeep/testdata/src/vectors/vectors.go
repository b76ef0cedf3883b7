package vectors

import "sync"

// Scratch slices of full length.

type segments struct{ parts [][]byte }

var scratch = sync.Pool{New: func() any { return &segments{parts: make([][]byte, 16)} }}

type queue struct{ list [][]byte }

func (q *queue) fill(p [][]byte) int {
	n := 0
	for n < len(p) && n < len(q.list) {
		p[n] = q.list[n]
		n++
	}
	return n
}

func flush(q *queue, write func([][]byte)) {
	s := scratch.Get().(*segments)
	n := q.fill(s.parts)
	write(s.parts[:n])
	scratch.Put(s) // want `s, the pooled segments, still leads to what the last user set in the elements of parts, which nothing clears`
}

type row struct{ p *int }

type columns struct{ rows []row }

var tables = sync.Pool{New: func() any { return &columns{rows: make([]row, 8)} }}

func scan(in []*int, use func([]row)) {
	c := tables.Get().(*columns)
	n := 0
	for n < len(in) && n < len(c.rows) {
		c.rows[n].p = in[n]
		n++
	}
	use(c.rows[:n])
	for i := range c.rows[:n] {
		c.rows[i].p = nil
	}
	tables.Put(c)
}

type numbers struct{ list []int }

var sums = sync.Pool{New: func() any { return &numbers{list: make([]int, 8)} }}

func sum(in []int) (s int) {
	n := sums.Get().(*numbers)
	for i := range n.list {
		n.list[i] = in[i]
		s += n.list[i]
	}
	sums.Put(n)
	return s
}

// The elements are the struct's own.

type cells struct{ cols [][]*int }

var cellPool = sync.Pool{New: func() any {
	c := &cells{cols: make([][]*int, 4)}
	all := make([]*int, 4)
	for i := range c.cols {
		c.cols[i] = all[i : i : i+1]
	}
	return c
}}

func gather(use func([][]*int)) {
	c := cellPool.Get().(*cells)
	for i, col := range c.cols {
		c.cols[i] = col[:0]
	}
	use(c.cols)
	cellPool.Put(c)
}
