package forgotten

import "sync"

// Only some of the values of a type are pooled, as a flag of theirs says; what is set in
// use is set in the others.

type cargo struct {
	pooled  bool
	closed  bool
	count   int
	flushed bool
}

var cargoes = sync.Pool{New: func() any { return &cargo{pooled: true} }}

func takeCargo() *cargo {
	c := cargoes.Get().(*cargo)
	c.closed = false
	c.count = 0
	return c
}

func putCargo(c *cargo) {
	if c == nil || !c.pooled {
		return
	}
	cargoes.Put(c)
}

func newCargo() *cargo { return &cargo{} }

func (c *cargo) close() { c.closed = true }

func sail() int {
	c := takeCargo()
	c.count++
	c.close()
	n := c.count
	putCargo(c)
	return n
}

func flushCargo(list []*cargo) {
	for _, c := range list {
		c.flushed = true
	}
}

func allFlushed(list []*cargo) bool {
	for _, c := range list {
		if !c.flushed {
			return false
		}
	}
	return true
}

// The same without the flag.
type freight struct {
	closed  bool
	count   int
	flushed bool
}

var freights = sync.Pool{New: func() any { return &freight{} }}

func takeFreight() *freight { // want `takeFreight resets fields of the pooled freight but not flushed`
	c := freights.Get().(*freight)
	c.closed = false
	c.count = 0
	return c
}

func putFreight(c *freight) {
	if c == nil {
		return
	}
	freights.Put(c)
}

func (c *freight) close() { c.closed = true }

func haul() int {
	c := takeFreight()
	c.count++
	c.close()
	n := c.count
	putFreight(c)
	return n
}

func flushFreight(list []*freight) {
	for _, c := range list {
		c.flushed = true
	}
}

func allFreightFlushed(list []*freight) bool {
	for _, c := range list {
		if !c.flushed {
			return false
		}
	}
	return true
}
