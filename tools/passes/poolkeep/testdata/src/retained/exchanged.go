// SPDX-License-Identifier: BSD-3-Clause

package retained

import "sync"

// What a box is for lies in the pool of the full ones; the empty ones have nothing.

type crate struct{ goods []string }

type crates struct{ full, empty sync.Pool }

func (c *crates) take() []string {
	x := c.full.Get()
	if x == nil {
		return nil
	}
	box := x.(*crate)
	goods := box.goods
	box.goods = nil
	c.empty.Put(x)
	return goods
}

func (c *crates) give(goods []string) {
	var box *crate
	if x := c.empty.Get(); x != nil {
		box = x.(*crate)
	} else {
		box = new(crate)
	}
	box.goods = goods
	c.full.Put(box)
}
