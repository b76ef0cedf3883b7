// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
)

type c51iter struct{ s []int }

var c51pool spare.Pool[c51iter]

type c51closer struct{ fn func() }

func (c *c51closer) Close() { c.fn() }

func c51new(in []int) *c51closer {
	s := c51pool.Get()
	s.s = in
	return &c51closer{func() {
		s.s = nil
		c51pool.Put(s)
	}}
}

func c51() {
	it := c51new([]int{1})
	defer it.Close()
	it.Close()
}
