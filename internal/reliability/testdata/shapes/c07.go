// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
)

var c07conns spare.Pool[c07conn]

type c07conn struct{ name string }

func (c *c07conn) Close() {
	c.name = ""
	c07conns.Put(c)
}

func c07() {
	c := c07conns.Get()
	defer c.Close()
	c.name = "bye"
	c.Close()
}
