// SPDX-License-Identifier: BSD-3-Clause

// Package lengthened has free lists that grow within their capacity, without append.
package lengthened

import "sync"

type cell struct {
	key  string
	next *cell
}

type cells struct {
	mu   sync.Mutex
	free []*cell
}

func newCells(n int) *cells { return &cells{free: make([]*cell, 0, n)} }

func (c *cells) take() *cell {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.free)
	if n == 0 {
		return new(cell)
	}
	x := c.free[n-1]
	c.free[n-1] = nil
	c.free = c.free[:n-1]
	return x
}

func (c *cells) give(x *cell) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.free)
	if n == cap(c.free) {
		return
	}
	x.key, x.next = "", nil
	c.free = c.free[:n+1]
	c.free[n] = x
}

func (c *cells) late(k string) string {
	x := c.take()
	x.key = k
	c.give(x)
	return x.key // want `x is read after it was put in the list free`
}

func (c *cells) inTime(k string) string {
	x := c.take()
	x.key = k
	s := x.key
	c.give(x)
	return s
}

func (c *cells) twice(k string, bad bool) string {
	x := c.take()
	defer c.give(x) // want `x is put in the list free a second time`
	x.key = k
	if bad {
		c.give(x)
		return ""
	}
	return k
}

func (c *cells) once(k string, bad bool) string {
	x := c.take()
	defer c.give(x)
	x.key = k
	if bad {
		return ""
	}
	return x.key
}

// What is set elsewhere in a list is in no pool.

type seats struct{ taken []*cell }

func (s *seats) at(n int) *cell {
	for len(s.taken) <= n {
		s.taken = s.taken[:len(s.taken)+1]
	}
	if s.taken[n] == nil {
		s.taken[n] = new(cell)
	}
	return s.taken[n]
}

func (s *seats) key(n int) string {
	x := s.at(n)
	s.taken[n] = x
	return x.key
}
