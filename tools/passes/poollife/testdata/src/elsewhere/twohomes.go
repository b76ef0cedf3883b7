// SPDX-License-Identifier: BSD-3-Clause

package elsewhere

import (
	"container/heap"
	"io"
	"slices"
	"sync"
)

type alarm struct {
	id, at, pos int
	ring        func()
}

var alarms = sync.Pool{New: func() any { return new(alarm) }}

type byTime []*alarm

func (h byTime) Len() int           { return len(h) }
func (h byTime) Less(i, j int) bool { return h[i].at < h[j].at }
func (h byTime) Swap(i, j int)      { h[i], h[j] = h[j], h[i]; h[i].pos, h[j].pos = i, j }
func (h *byTime) Push(x any)        { *h = append(*h, x.(*alarm)) }
func (h *byTime) Pop() any {
	n := len(*h) - 1
	x := (*h)[n]
	(*h)[n] = nil
	*h = (*h)[:n]
	return x
}

type clock struct {
	next byTime
	set  map[int]*alarm
}

func (c *clock) add(id, at int, ring func()) {
	a := alarms.Get().(*alarm)
	a.id, a.at, a.ring = id, at, ring
	c.set[id] = a
	heap.Push(&c.next, a)
}

func (c *clock) cancel(id int) {
	if a := c.set[id]; a != nil {
		delete(c.set, id)
		a.ring = nil
		alarms.Put(a) // want `was found in set and is still in next, where tick uses it, and puts it again`
	}
}

func (c *clock) cancelRight(id int) {
	if a := c.set[id]; a != nil {
		delete(c.set, id)
		heap.Remove(&c.next, a.pos)
		a.ring = nil
		alarms.Put(a)
	}
}

func (c *clock) tick(now int) {
	for len(c.next) > 0 && c.next[0].at <= now {
		a := heap.Pop(&c.next).(*alarm)
		delete(c.set, a.id)
		a.ring()
		a.ring = nil
		alarms.Put(a)
	}
}

// Parts are found by their number, and written in their order.
type segment struct{ b []byte }

var segments = sync.Pool{New: func() any { return new(segment) }}

type assembly struct {
	byNum map[int]*segment
	queue []*segment
}

func (a *assembly) keep(n int, s *segment) { a.byNum[n] = s }

func (a *assembly) add(n int, b []byte) {
	s := segments.Get().(*segment)
	s.b = append(s.b[:0], b...)
	a.keep(n, s)
	a.queue = append(a.queue, s)
}

func (a *assembly) refuse(n int) {
	s, ok := a.byNum[n]
	if !ok {
		return
	}
	delete(a.byNum, n)
	segments.Put(s) // want `was found in byNum and is still in queue, where write uses it, and puts it again`
}

func (a *assembly) refuseRight(n int) {
	s, ok := a.byNum[n]
	if !ok {
		return
	}
	delete(a.byNum, n)
	if at := slices.Index(a.queue, s); at >= 0 {
		a.queue = slices.Delete(a.queue, at, at+1)
	}
	segments.Put(s)
}

func (a *assembly) write(w io.Writer) {
	for _, s := range a.queue {
		w.Write(s.b)
		segments.Put(s)
	}
	a.queue = a.queue[:0]
	clear(a.byNum)
}

// A value moves from one container to the other.
type stages struct {
	waiting []*segment
	running map[int]*segment
}

func (s *stages) add(b []byte) {
	x := segments.Get().(*segment)
	x.b = append(x.b[:0], b...)
	s.waiting = append(s.waiting, x)
}

func (s *stages) start(n int) {
	x := s.waiting[0]
	s.waiting = s.waiting[1:]
	s.running[n] = x
}

func (s *stages) done(n int) {
	if x := s.running[n]; x != nil {
		delete(s.running, n)
		segments.Put(x)
	}
}

func (s *stages) stop() {
	for _, x := range s.waiting {
		segments.Put(x)
	}
	s.waiting = nil
}
