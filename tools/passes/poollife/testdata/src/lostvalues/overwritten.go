package lostvalues

import (
	"container/list"
	"sync"
)

// A value that is set over another one, which a container had, takes that with it.

type tile struct {
	key  int
	data [1 << 10]byte
}

var tiles = sync.Pool{New: func() any { return new(tile) }}

type tileCache struct {
	order *list.List
	at    map[int]*list.Element
}

func (c *tileCache) add(t *tile) {
	if e, ok := c.at[t.key]; ok {
		e.Value = t // want `the element of the list has a value already`
		c.order.MoveToFront(e)
		return
	}
	c.at[t.key] = c.order.PushFront(t)
	if c.order.Len() > 100 {
		old := c.order.Remove(c.order.Back()).(*tile)
		delete(c.at, old.key)
		tiles.Put(old)
	}
}

func (c *tileCache) addRight(t *tile) {
	if e, ok := c.at[t.key]; ok {
		old := e.Value.(*tile)
		e.Value = t
		tiles.Put(old)
		return
	}
	c.at[t.key] = c.order.PushFront(t)
}

func (c *tileCache) addNew(t *tile) {
	e := c.order.PushFront(nil)
	e.Value = t
	c.at[t.key] = e
}

type tileMap struct {
	mu sync.Mutex
	m  map[int]*tile
}

func (c *tileMap) drop(key int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.m[key]; ok {
		delete(c.m, key)
		tiles.Put(t)
	}
}

func (c *tileMap) refresh(key int, fill func([]byte)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.m[key]; !ok {
		return false
	}
	t := tiles.Get().(*tile)
	fill(t.data[:])
	c.m[key] = t // want `the map m has a value already`
	return true
}

func (c *tileMap) refreshRight(key int, fill func([]byte)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := c.m[key]
	if !ok {
		return false
	}
	t := tiles.Get().(*tile)
	fill(t.data[:])
	c.m[key] = t
	tiles.Put(old)
	return true
}

func (c *tileMap) addOnce(key int, fill func([]byte)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.m[key]; ok {
		return false
	}
	t := tiles.Get().(*tile)
	fill(t.data[:])
	c.m[key] = t
	return true
}
