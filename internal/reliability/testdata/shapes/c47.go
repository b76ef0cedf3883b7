// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
)

type c47chunk struct{ b []byte }

var c47pool spare.Pool[c47chunk]

func c47put(c *c47chunk) {
	c.b = c.b[:0]
	c47pool.Put(c)
}

func c47() {
	c := c47pool.Get()
	defer c47put(c)
	out := append([]byte(nil), c.b...)
	c47put(c)
	show(out)
}
