// SPDX-License-Identifier: BSD-3-Clause

package lentout

import (
	"sync"
	"sync/atomic"
)

var columns = sync.Pool{New: func() any { return new(column) }}

type column struct {
	refs atomic.Int32
	vals []int
}

func (c *column) Retain() { c.refs.Add(1) }

func (c *column) Release() {
	if c.refs.Add(-1) == 0 {
		c.vals = c.vals[:0]
		columns.Put(c)
	}
}

type batch struct{ cols []*column }

// each releases every column when f is done with it.
func (b *batch) each(f func(*column) error) (err error) {
	for _, c := range b.cols {
		if err == nil {
			err = f(c)
		}
		c.Release()
	}
	b.cols = nil
	return err
}

// eachDeferred does so by a defer.
func eachDeferred(c *column, f func(int, *column)) {
	defer c.Release()
	f(1, c)
}

// give leaves the column to f where that says so.
func give(c *column, f func(*column) bool) {
	if !f(c) {
		c.Release()
	}
}

func sum(b *batch) (n int, err error) {
	err = b.each(func(c *column) error {
		n += len(c.vals)
		c.Release() // want `c is released here and again by each, which only lends it`
		return nil
	})
	return n, err
}

func drop(_ int, c *column) {
	c.Release() // want `c is released here and again by eachDeferred, which only lends it`
}

func dropOne(c *column) { eachDeferred(c, drop) }

func size(b *batch) (n int, err error) {
	err = b.each(func(c *column) error {
		n += len(c.vals)
		return nil
	})
	return n, err
}

// What the function counts up it gives up itself; the batch has a reference as well.
func sumRetained(b *batch) (n int, err error) {
	err = b.each(func(c *column) error {
		c.Retain()
		n += len(c.vals)
		c.Release()
		return nil
	})
	return n, err
}

func taken(c *column) {
	give(c, func(c *column) bool {
		c.Release()
		return true
	})
}
