// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import "sync"

// One field has the start of what another one gathers: both go over at once.

var chunks = sync.Pool{New: func() any { return make([]byte, 0, 512) }}

type chunked struct {
	cur   []byte
	start []byte
	full  [][]byte
}

func (c *chunked) next() {
	if len(c.cur) > 0 {
		if cap(c.start) != cap(c.cur) {
			chunks.Put(c.start)
		}
		c.full = append(c.full, c.cur)
	}
	c.cur = chunks.Get().([]byte)
	c.start = c.cur
}

func (c *chunked) Write(p []byte) {
	if cap(c.cur)-len(c.cur) < len(p) {
		c.next()
	}
	c.cur = append(c.cur, p...)
}

type chunkList struct{ all [][]byte }

func (l *chunkList) Close() {
	for _, b := range l.all {
		chunks.Put(b)
	}
	l.all = nil
}

func (c *chunked) HandOver() *chunkList {
	l := &chunkList{append(c.full, c.cur)}
	c.full = nil
	c.start = nil
	c.cur = nil
	return l
}
