// Package plainpkg has no pool; others pool its values, and give it theirs.
package plainpkg

import (
	"bytes"
	"container/list"
	"sync"
	"time"
)

type Buf struct {
	b    []byte
	name string
	tail struct{ rest []byte }
}

func (b *Buf) Add(s string) { b.b = append(b.b, s...) }

func (b *Buf) Reset() { b.b = b.b[:0] }

func (b *Buf) Bytes() []byte {
	if b == nil {
		return nil
	}
	return b.b
}

func (b *Buf) From(n int) []byte { return b.b[n:] }

func (b *Buf) Rest() []byte { return b.tail.rest }

func (b *Buf) Copy() []byte { return append([]byte(nil), b.b...) }

func (b *Buf) Name() string { return b.name }

type Msg struct{ Body []byte }

func (m *Msg) SetBody(b []byte) { m.Body = b }

func (m *Msg) CopyBody(b []byte) { m.Body = append(m.Body[:0], b...) }

func Trim(b []byte) []byte { return b[1:] }

func Same(b []byte) []byte { return ([]byte)(b) }

func Clone(b []byte) []byte { return append([]byte{}, b...) }

// A Cache keeps what it is given until it is told to forget it.
type Cache struct {
	mu    sync.RWMutex
	ents  map[string]*ent
	raw   map[string][]byte
	queue [][]byte
	order list.List
	all   sync.Map
	max   int
	shut  bool
}

type ent struct {
	key string
	val []byte
	due time.Time
}

func (c *Cache) Set(key string, val []byte, ttl time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return
	}
	c.put(key, &ent{key: key, val: val, due: time.Now().Add(ttl)})
	for len(c.ents) > c.max {
		c.evict()
	}
}

func (c *Cache) put(key string, e *ent) {
	if old, ok := c.ents[key]; ok {
		old.val = e.val
		return
	}
	if c.ents == nil {
		c.ents = map[string]*ent{}
	}
	c.ents[key] = e
}

func (c *Cache) evict() {
	for k := range c.ents {
		delete(c.ents, k)
		return
	}
}

// SetCopy keeps a copy.
func (c *Cache) SetCopy(key string, val []byte) {
	val = append([]byte(nil), val...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.raw == nil {
		c.raw = map[string][]byte{}
	}
	c.raw[key] = val
}

// SetIf keeps it where it is told to.
func (c *Cache) SetIf(key string, val []byte, keep bool) {
	if !keep {
		return
	}
	c.raw[key] = val
}

func (c *Cache) Push(val []byte) {
	c.mu.Lock()
	c.queue = append(c.queue, val)
	c.mu.Unlock()
}

func (c *Cache) Link(val []byte) { c.order.PushBack(val) }

func (c *Cache) Share(key string, val []byte) { c.all.Store(key, val) }

func (c *Cache) Delete(key string) {
	c.mu.Lock()
	delete(c.ents, key)
	c.mu.Unlock()
}

func (c *Cache) Clear() { clear(c.ents) }

// A Layered has a Cache.
type Layered struct {
	near Cache
	far  *Cache
}

func (l *Layered) Set(key string, val []byte) {
	l.near.Set(key, val, time.Minute)
}

func (l *Layered) SetFar(key string, val []byte) { l.far.Set(key, val, time.Hour) }

// Ignore sets nothing.
func Ignore(list []*bytes.Buffer) {
	_ = struct{}{}
	_ = list
}
