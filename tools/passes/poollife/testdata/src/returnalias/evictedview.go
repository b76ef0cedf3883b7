// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import (
	"slices"
	"sync"
)

// A cache that puts the memory of what it evicts, and gives it to its users.

var tileBytes = sync.Pool{New: func() any { return new([]byte) }}

type tile struct {
	name  string
	bits  *[]byte
	users int
}

type tileCache struct {
	mu    sync.Mutex
	tiles map[string]*tile
	order []*tile
}

func (c *tileCache) Bits(name string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.tiles[name]; t != nil {
		return *t.bits // want `the memory of an element of tiles is returned, and the lock given back`
	}
	return nil
}

func (c *tileCache) Copy(name string) []byte { // right
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.tiles[name]; t != nil {
		return slices.Clone(*t.bits)
	}
	return nil
}

func (c *tileCache) Name(name string) string { // right: not what is put
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.tiles[name]; t != nil {
		return t.name
	}
	return ""
}

func (c *tileCache) Set(name string, bits []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := tileBytes.Get().(*[]byte)
	*p = append((*p)[:0], bits...)
	t := &tile{name: name, bits: p}
	c.tiles[name] = t
	c.order = append(c.order, t)
	if len(c.order) > 64 {
		old := c.order[0]
		c.order = c.order[1:]
		delete(c.tiles, old.name)
		tileBytes.Put(old.bits)
	}
}

type usedTiles struct {
	mu    sync.Mutex
	tiles map[string]*tile
	order []*tile
}

func (c *usedTiles) Bits(name string) []byte { // right: it is counted who uses one
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tiles[name]
	if t == nil {
		return nil
	}
	t.users++
	return *t.bits
}

func (c *usedTiles) Done(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tiles[name].users--
}

func (c *usedTiles) Trim() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.order) > 64 && c.order[0].users == 0 {
		old := c.order[0]
		c.order = c.order[1:]
		delete(c.tiles, old.name)
		tileBytes.Put(old.bits)
	}
}
