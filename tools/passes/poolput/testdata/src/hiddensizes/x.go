// SPDX-License-Identifier: BSD-3-Clause

// Package hiddensizes has pools by size that their callers know by an interface only.
package hiddensizes

import (
	"errors"
	"io"
	"sync"
)

// Where the pool has given out too much, its caller makes a buffer, and gives that to the pool as well.

var errTooMuch = errors.New("too much")

type lender interface {
	lend(n int) (*[]byte, error)
	giveBack(b *[]byte)
}

type shelves struct {
	mu     sync.Mutex
	out    int
	limit  int
	widths []int
	rows   []sync.Pool
}

func newShelves(limit int, widths ...int) lender {
	return &shelves{limit: limit, widths: widths, rows: make([]sync.Pool, len(widths))}
}

func (s *shelves) lend(n int) (*[]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.out+n > s.limit {
		return nil, errTooMuch
	}
	for k, w := range s.widths {
		if n > w {
			continue
		}
		b, ok := s.rows[k].Get().(*[]byte)
		if !ok {
			fresh := make([]byte, 0, w)
			b = &fresh
		}
		*b = (*b)[:n]
		s.out += cap(*b)
		return b, nil
	}
	fresh := make([]byte, n)
	s.out += n
	return &fresh, nil
}

func (s *shelves) giveBack(b *[]byte) {
	size := cap(*b)
	for k, w := range s.widths {
		if size > w {
			continue
		}
		*b = (*b)[:0]
		s.rows[k].Put(b) // want `a slice with a capacity of \d+ goes to a pool from which lend takes slices for up to \d+, and does not ask whether they are large enough`
		break
	}
	s.mu.Lock()
	s.out = max(0, s.out-size)
	s.mu.Unlock()
}

type copier struct {
	from lender
	step int
}

func (c *copier) copy(w io.Writer, r io.Reader) error {
	var b []byte
	lent, err := c.from.lend(c.step)
	if err != nil {
		b = make([]byte, c.step)
	} else {
		b = *lent
	}
	defer c.from.giveBack(&b)
	n, err := io.ReadFull(r, b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	return err
}

// What a caller appends to goes back by the variable of its own.

type rowPool interface {
	take(n int) *[]float64
	drop(row *[]float64)
}

type rowTable struct {
	short, long sync.Pool
}

func newRowTable() rowPool { return &rowTable{} }

func (t *rowTable) take(n int) *[]float64 {
	if n <= 64 {
		if row, ok := t.short.Get().(*[]float64); ok {
			*row = (*row)[:n]
			return row
		}
		row := make([]float64, n, 64)
		return &row
	}
	if n <= 4096 {
		if row, ok := t.long.Get().(*[]float64); ok {
			*row = (*row)[:n]
			return row
		}
		row := make([]float64, n, 4096)
		return &row
	}
	row := make([]float64, n)
	return &row
}

func (t *rowTable) drop(row *[]float64) {
	switch n := cap(*row); {
	case n <= 64:
		t.short.Put(row) // want `a slice with a capacity of \d+ goes to a pool from which take takes slices for up to 64, and does not ask whether they are large enough`
	case n <= 4096:
		t.long.Put(row)
	}
}

func sums(p rowPool, rows [][]float64) (total float64) {
	row := p.take(len(rows))
	all := (*row)[:0]
	for _, r := range rows {
		all = append(all, r...)
	}
	for _, x := range all {
		total += x
	}
	*row = all
	p.drop(row)
	return total
}
