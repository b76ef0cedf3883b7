package dropped

import "sync"

type ring struct {
	next *ring
	n    int
}

var rings = sync.Pool{New: func() any { return new(ring) }}

func freeRing(r *ring) { r.next = nil; rings.Put(r) }

type chainOf struct{ first, last *ring }

func (c *chainOf) Free() {
	for r := c.first; r != nil; {
		next := r.next
		freeRing(r)
		r = next
	}
	c.first, c.last = nil, nil
}

func (c *chainOf) Truncate(at *ring) {
	rest := at.next
	at.next = nil
	c.last = at
	if rest != nil {
		freeRing(rest) // want `the chain is cut here and only the first link behind the cut is put`
	}
}

func (c *chainOf) TruncateRight(at *ring) {
	rest := at.next
	at.next = nil
	c.last = at
	for rest != nil {
		next := rest.next
		freeRing(rest)
		rest = next
	}
}

// One link is taken out.
func (c *chainOf) Unlink(at *ring) {
	r := at.next
	at.next = r.next
	freeRing(r)
}

// The last one is.
func (c *chainOf) Pop() {
	at := c.first
	for at.next.next != nil {
		at = at.next
	}
	r := at.next
	if r.next == nil {
		at.next = nil
		freeRing(r)
	}
}
