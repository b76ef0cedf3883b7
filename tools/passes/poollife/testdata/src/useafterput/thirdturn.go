package useafterput

import (
	"sync"
	"sync/atomic"
)

// Loops that take a value for one message, put it for another and use it for a third.

type ringing struct {
	id      int
	counted atomic.Bool
}

var ringings = sync.Pool{New: func() any { return new(ringing) }}

type bellEvent struct{ kind, id int }

type bellDesk struct {
	events  chan bellEvent
	open    int
	hang    bool
	waiting map[int]int
}

func (d *bellDesk) hangUp(c *ringing) bool {
	if c == nil || !d.hang {
		return false
	}
	ringings.Put(c) // want `put in ringings a second time`
	return true
}

func (d *bellDesk) note(c *ringing) {
	if c.counted.CompareAndSwap(false, true) {
		d.open--
	}
}

func (d *bellDesk) reads() {
	var c *ringing
	for e := range d.events {
		switch e.kind {
		case 0:
			if c == nil {
				c = ringings.Get().(*ringing) // want `not put back`
			}
		case 1:
			d.hangUp(c)
		case 2:
			if c != nil {
				d.waiting[e.id] = c.id // want `c is read after it was put in ringings`
			}
		}
	}
}

func (d *bellDesk) notes() {
	var c *ringing
	for e := range d.events {
		switch e.kind {
		case 0:
			c = ringings.Get().(*ringing) // want `not put back`
			c.counted.Store(false)
		case 1:
			if d.hang {
				ringings.Put(c) // want `put in ringings a second time`
			}
		case 2:
			if c != nil {
				d.note(c) // want `c is used by CompareAndSwap after it was put in ringings`
				return
			}
		}
	}
}

// readsNone forgets it.
func (d *bellDesk) readsNone() {
	var c *ringing
	for e := range d.events {
		switch e.kind {
		case 0:
			if c == nil {
				c = ringings.Get().(*ringing)
			}
		case 1:
			if d.hangUp(c) {
				c = nil
			}
		case 2:
			if c != nil {
				d.waiting[e.id] = c.id
			}
		}
	}
	if c != nil {
		ringings.Put(c)
	}
}

// readsOpen knows by a flag whether it has one.
func (d *bellDesk) readsOpen() {
	var c *ringing
	open := false
	for e := range d.events {
		switch {
		case e.kind == 0 && !open:
			c, open = ringings.Get().(*ringing), true
		case e.kind == 1 && open:
			ringings.Put(c)
			open = false
		case e.kind == 2 && open:
			d.waiting[e.id] = c.id
		}
	}
	if open {
		ringings.Put(c)
	}
}

// A guarded value asks whether it was put already.
type guarded struct{ done atomic.Bool }

var guards = sync.Pool{New: func() any { return new(guarded) }}

func (g *guarded) free() bool { return g.done.CompareAndSwap(false, true) }

func (g *guarded) end() {
	if g.free() {
		guards.Put(g)
	}
}

func (d *bellDesk) ends() {
	g := guards.Get().(*guarded)
	defer g.end()
	for e := range d.events {
		if e.kind == 1 {
			g.end()
			return
		}
	}
}
