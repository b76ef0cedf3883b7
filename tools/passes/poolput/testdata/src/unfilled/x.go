// SPDX-License-Identifier: BSD-3-Clause

package unfilled

import (
	"errors"
	"io"
	"sync"
)

// Slices that are made with their full length, filled in turn, and put as a whole.

type column struct{ vals [16]int64 }

var columns = sync.Pool{New: func() any { return new(column) }}

func (c *column) release() { columns.Put(c) }

func load(in []int64) (*column, error) {
	if len(in) > 16 {
		return nil, errors.New("too many")
	}
	c := columns.Get().(*column)
	copy(c.vals[:], in)
	return c, nil
}

func total(c *column) (n int64) {
	for _, v := range c.vals {
		n += v
	}
	return n
}

// Wrong: after an error the rest is nil.
func sum(in [][]int64) (n int64, err error) {
	cols := make([]*column, len(in))
	defer func() {
		for _, c := range cols {
			c.release() // want `each element of cols is put here, and those that the loop has not set \(line 44\) when it returns early \(line 46\) are nil, so that a later Get returns nil`
		}
	}()
	for i, part := range in {
		cols[i], err = load(part)
		if err != nil {
			return 0, err
		}
		n += total(cols[i])
	}
	return n, nil
}

func releaseAll(list []*column) {
	for i := range list {
		columns.Put(list[i]) // want `each element of list is put here, and those that the loop has not set`
	}
}

// Wrong: by a function, and the one that failed is not stored.
func sumGiven(in [][]int64) (int64, error) {
	all := make([]*column, len(in))
	defer releaseAll(all)
	var n int64
	for i := 0; i < len(in); i++ {
		c, err := load(in[i])
		if err != nil {
			return 0, err
		}
		all[i] = c
		n += total(c)
	}
	return n, nil
}

func free(c *column) { c.release() }

// Wrong: as many as somebody says, and one call more.
func sumRead(r io.Reader, count int) (n int64, err error) {
	var buf [16]byte
	got := make([]*column, count)
	defer func() {
		for k := 0; k < len(got); k++ {
			free(got[k]) // want `each element of got is put here`
		}
	}()
	for k := range got {
		if _, err := io.ReadFull(r, buf[:]); err != nil {
			return n, err
		}
		got[k] = columns.Get().(*column)
		got[k].vals[0] = int64(buf[0])
		n += total(got[k])
	}
	return n, nil
}

// Right: asked.
func sumAsked(in [][]int64) (n int64, err error) {
	cols := make([]*column, len(in))
	defer func() {
		for _, c := range cols {
			if c != nil {
				c.release()
			}
		}
	}()
	for i, part := range in {
		cols[i], err = load(part)
		if err != nil {
			return 0, err
		}
		n += total(cols[i])
	}
	return n, nil
}

// Right: asked by who is to put it.
func freeSome(c *column) {
	if c == nil {
		return
	}
	columns.Put(c)
}

func sumFreed(in [][]int64) (n int64, err error) {
	cols := make([]*column, len(in))
	defer func() {
		for _, c := range cols {
			freeSome(c)
		}
	}()
	for i, part := range in {
		cols[i], err = load(part)
		if err != nil {
			return 0, err
		}
		n += total(cols[i])
	}
	return n, nil
}

// Right: it has only those that there are.
func sumAppended(in [][]int64) (n int64, err error) {
	cols := make([]*column, 0, len(in))
	defer func() {
		for _, c := range cols {
			c.release()
		}
	}()
	for _, part := range in {
		c, err := load(part)
		if err != nil {
			return 0, err
		}
		cols = append(cols, c)
		n += total(c)
	}
	return n, nil
}

// Right: cut to those that there are.
func sumCut(in [][]int64) (n int64, err error) {
	cols := make([]*column, len(in))
	defer func() {
		for _, c := range cols {
			c.release()
		}
	}()
	for i, part := range in {
		cols[i], err = load(part)
		if err != nil {
			cols = cols[:i]
			return 0, err
		}
		n += total(cols[i])
	}
	return n, nil
}

// Right: all are there before one can fail.
func sumTaken(in [][]int64) (n int64, err error) {
	cols := make([]*column, len(in))
	for i := range cols {
		cols[i] = columns.Get().(*column)
	}
	defer func() {
		for _, c := range cols {
			c.release()
		}
	}()
	for i, part := range in {
		if len(part) > 16 {
			return 0, io.ErrShortBuffer
		}
		copy(cols[i].vals[:], part)
		n += total(cols[i])
	}
	return n, nil
}

// Right: deferred when all are there.
func sumLate(in [][]int64) (n int64, err error) {
	cols := make([]*column, len(in))
	for i, part := range in {
		cols[i], err = load(part)
		if err != nil {
			for _, c := range cols[:i] {
				c.release()
			}
			return 0, err
		}
	}
	defer func() {
		for _, c := range cols {
			c.release()
		}
	}()
	for _, c := range cols {
		n += total(c)
	}
	return n, nil
}

// Right: put where nothing failed only.
func sumWhole(in [][]int64) (n int64, err error) {
	cols := make([]*column, len(in))
	defer func() {
		if err != nil {
			return
		}
		for _, c := range cols {
			c.release()
		}
	}()
	for i, part := range in {
		cols[i], err = load(part)
		if err != nil {
			return 0, err
		}
		n += total(cols[i])
	}
	return n, nil
}
