// SPDX-License-Identifier: BSD-3-Clause

package handback

import "sync"

type leaf struct {
	key   int
	users int
	data  [64]byte
}

var leaves = sync.Pool{New: func() any { return new(leaf) }}

type leafCache struct {
	recent []int
	byKey  map[int]*leaf
}

func (c *leafCache) shrink() {
	for n, k := range c.recent {
		l := c.byKey[k]
		if l.users == 0 {
			c.recent = append(c.recent[:n:n], c.recent[n+1:]...)
			delete(c.byKey, k)
			leaves.Put(l)
			return
		}
	}
}

func (c *leafCache) leaf(k int) *leaf {
	if l := c.byKey[k]; l != nil {
		return l
	}
	c.shrink()
	l := leaves.Get().(*leaf)
	l.key = k
	c.recent = append(c.recent, k)
	c.byKey[k] = l
	return l
}

func (c *leafCache) same(x, y int) bool {
	l := c.leaf(x)
	l.users++
	defer func() { l.users-- }()
	r := c.leaf(y)
	return l.data == r.data
}

func (c *leafCache) sameUnpinned(x, y int) bool {
	l := c.leaf(x)
	r := c.leaf(y)
	return l.data == r.data // want `is read after it was put in leaves`
}
