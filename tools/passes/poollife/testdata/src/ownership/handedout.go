package ownership

import (
	"errors"
	"sync"
)

type slot struct{ b []byte }

var slots = sync.Pool{New: func() any { return new(slot) }}

type cabinet struct {
	ready []*slot
	byKey map[string][]*slot
	named map[int]*slot
}

// Filled, put, and handed out all the same.
func newCabinet(n int) *cabinet {
	c := &cabinet{}
	for range n {
		c.ready = append(c.ready, slots.Get().(*slot))
	}
	for _, s := range c.ready {
		slots.Put(s) // want `s is put in slots and stays in a slice or map that outlives the call`
	}
	return c
}

func newCabinetMap(n int) map[int]*slot {
	m := map[int]*slot{}
	for i := range n {
		s := slots.Get().(*slot)
		m[i] = s
		slots.Put(s) // want `s is put in slots and stays in a slice or map that outlives the call`
	}
	return m
}

func newCabinetCut(n int) *cabinet {
	c := &cabinet{}
	for range n {
		c.ready = append(c.ready, slots.Get().(*slot))
	}
	for _, s := range c.ready {
		slots.Put(s)
	}
	c.ready = c.ready[:0]
	return c
}

func newCabinetNil(n int) []*slot {
	var list []*slot
	for range n {
		list = append(list, slots.Get().(*slot))
	}
	for i, s := range list {
		slots.Put(s)
		list[i] = nil
	}
	return list
}

func newCabinetSome(n int) (keep []*slot) {
	var list []*slot
	for range n {
		list = append(list, slots.Get().(*slot))
	}
	for _, s := range list {
		if len(s.b) > 4 {
			slots.Put(s)
			continue
		}
		keep = append(keep, s)
	}
	return keep
}

func newCabinetAll(n int) ([]*slot, error) {
	list := make([]*slot, 0, n)
	for range n {
		s := slots.Get().(*slot)
		if s.b == nil {
			slots.Put(s)
			for _, s := range list {
				slots.Put(s)
			}
			return nil, errors.New("no slot")
		}
		list = append(list, s)
	}
	return list, nil
}

// In a container that was there before.
func (c *cabinet) keep() {
	s := slots.Get().(*slot)
	c.ready = append(c.ready, s) // want `an element of a slice or map keeps memory of s after the value was put in slots`
	slots.Put(s)
}

// What left the container again, or the container its place.
func (c *cabinet) cycle() {
	c.ready = append(c.ready, slots.Get().(*slot))
	for _, s := range c.ready {
		slots.Put(s)
	}
	c.ready = c.ready[:0]
}

func (c *cabinet) cycleNil() {
	c.ready = append(c.ready, slots.Get().(*slot))
	for _, s := range c.ready {
		slots.Put(s)
	}
	c.ready = nil
}

func (c *cabinet) pushPop() {
	s := slots.Get().(*slot)
	c.ready = append(c.ready, s)
	c.ready = c.ready[:len(c.ready)-1]
	slots.Put(s)
}

func (c *cabinet) cycleKey(k string) {
	c.byKey[k] = append(c.byKey[k], slots.Get().(*slot))
	for _, s := range c.byKey[k] {
		slots.Put(s)
	}
	c.byKey[k] = c.byKey[k][:0]
}

func (c *cabinet) cycleDelete(k string) {
	c.byKey[k] = append(c.byKey[k], slots.Get().(*slot))
	for _, s := range c.byKey[k] {
		slots.Put(s)
	}
	delete(c.byKey, k)
}

// Put from both of two places.
type pair struct{ in, out *slot }

type outer struct {
	p     *pair
	spare *slot
}

func (p *pair) close() { slots.Put(p.in) }

func (o *outer) Close() {
	o.p.close()
	slots.Put(o.spare) // want `o.* is put in slots a second time`
}

func NewOuter() *outer {
	s := slots.Get().(*slot)
	return &outer{p: &pair{in: s}, spare: s}
}

type outer2 struct {
	p     *pair
	spare *slot
}

func (o *outer2) Close() {
	o.p.close()
	slots.Put(o.spare)
}

func NewOuter2() *outer2 {
	return &outer2{p: &pair{in: slots.Get().(*slot)}, spare: slots.Get().(*slot)}
}
