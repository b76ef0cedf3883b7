// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import "sync"

type shard struct{ data [512]byte }

var shards = sync.Pool{New: func() any { return new(shard) }}

// An assembler puts its shards one by one, and loses the rest.
type assembler struct {
	waiting map[int]*shard
	next    int
}

func (c *assembler) add(n int, data []byte) {
	p := shards.Get().(*shard)
	copy(p.data[:], data)
	c.waiting[n] = p
}

func (c *assembler) deliver(to func([]byte)) {
	for {
		p := c.waiting[c.next]
		if p == nil {
			return
		}
		delete(c.waiting, c.next)
		c.next++
		to(p.data[:])
		shards.Put(p)
	}
}

func (c *assembler) Abort() {
	c.next = 0
	c.waiting = make(map[int]*shard) // want `Abort lets go of values in waiting that were taken from shards \(line 18\) and puts none`
}

// One that puts them all.
type goodAssembler struct {
	parts map[int]*shard
	next  int
}

func newGoodAssembler() *goodAssembler {
	c := new(goodAssembler)
	c.parts = make(map[int]*shard)
	return c
}

func (c *goodAssembler) add(n int, data []byte) {
	p := shards.Get().(*shard)
	copy(p.data[:], data)
	c.parts[n] = p
}

func (c *goodAssembler) deliver(to func([]byte)) {
	for {
		p := c.parts[c.next]
		if p == nil {
			return
		}
		delete(c.parts, c.next)
		c.next++
		to(p.data[:])
		shards.Put(p)
	}
}

func (c *goodAssembler) Abort() {
	for _, p := range c.parts {
		shards.Put(p)
	}
	c.next = 0
	c.parts = make(map[int]*shard)
}

// One whose elements are put by a function that is called before.
type drainedAssembler struct{ left map[int]*shard }

func (c *drainedAssembler) add(n int, data []byte) {
	p := shards.Get().(*shard)
	copy(p.data[:], data)
	c.left[n] = p
}

func (c *drainedAssembler) flush(to func([]byte)) {
	for _, p := range c.left {
		to(p.data[:])
		shards.Put(p)
	}
}

func (c *drainedAssembler) Reset(to func([]byte)) {
	c.flush(to)
	c.left = map[int]*shard{}
}
