// SPDX-License-Identifier: BSD-3-Clause

// Package hiddensizesright has pools by size behind interfaces that get what they made, or ask how large it is.
package hiddensizesright

import (
	"errors"
	"io"
	"sync"
)

var errTooMuch = errors.New("too much")

type lender interface {
	lend(n int) (*[]byte, error)
	giveBack(b *[]byte)
}

type shelves struct {
	limit  int
	widths []int
	rows   []sync.Pool
}

func newShelves(limit int, widths ...int) lender {
	return &shelves{limit: limit, widths: widths, rows: make([]sync.Pool, len(widths))}
}

func (s *shelves) lend(n int) (*[]byte, error) {
	if n > s.limit {
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
		return b, nil
	}
	fresh := make([]byte, n)
	return &fresh, nil
}

func (s *shelves) giveBack(b *[]byte) {
	for k, w := range s.widths {
		if cap(*b) > w {
			continue
		}
		*b = (*b)[:0]
		s.rows[k].Put(b)
		break
	}
}

// Only what the pool gave goes back.
func copyOnce(from lender, step int, w io.Writer, r io.Reader) error {
	var b []byte
	lent, err := from.lend(step)
	if err == nil {
		b = *lent
		defer from.giveBack(&b)
	} else {
		b = make([]byte, step)
	}
	n, err := io.ReadFull(r, b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	return err
}

// What was grown goes where no more is promised than it has.

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
	case n >= 4096:
		t.long.Put(row)
	case n >= 64:
		t.short.Put(row)
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

// Of two pools behind an interface, one gets what its callers grew, and one has all that it gave.

type words interface {
	get(n int) []uint64
	put(w []uint64)
}

type anyWords struct{ all sync.Pool }

func (a *anyWords) get(n int) []uint64 {
	if w, ok := a.all.Get().(*[]uint64); ok && cap(*w) >= n {
		return (*w)[:n]
	}
	return make([]uint64, n)
}

func (a *anyWords) put(w []uint64) { a.all.Put(&w) } // want `the address of the local variable w is put in all`

type sizedWords struct{ small, large sync.Pool }

func (s *sizedWords) get(n int) []uint64 {
	if n <= 32 {
		if w, ok := s.small.Get().(*[]uint64); ok {
			return (*w)[:n]
		}
		return make([]uint64, n, 32)
	}
	if n <= 1024 {
		if w, ok := s.large.Get().(*[]uint64); ok {
			return (*w)[:n]
		}
		return make([]uint64, n, 1024)
	}
	return make([]uint64, n)
}

func (s *sizedWords) put(w []uint64) {
	switch n := cap(w); {
	case n <= 32:
		s.small.Put(&w) // want `the address of the local variable w is put in small`
	case n <= 1024:
		s.large.Put(&w) // want `the address of the local variable w is put in large`
	}
}

func pack(p words, in []uint64) uint64 {
	w := p.get(len(in))[:0]
	for _, x := range in {
		w = append(w, x, x)
	}
	last := w[len(w)-1]
	p.put(w)
	return last
}

func packs(in []uint64) uint64 { return pack(&anyWords{}, in) }

// A caller that knows the pool gives it what that gave.
func fold(s *sizedWords, in []uint64) (sum uint64) {
	w := s.get(len(in))
	copy(w, in)
	for _, x := range w {
		sum += x
	}
	s.put(w)
	return sum
}
