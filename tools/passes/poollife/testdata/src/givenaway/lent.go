package givenaway

import (
	"sync"
	"sync/atomic"
)

type rec struct {
	refs atomic.Int32
	v    []int
}

var recs = sync.Pool{New: func() any { return new(rec) }}

func newRec() *rec     { r := recs.Get().(*rec); r.refs.Store(1); r.v = r.v[:0]; return r }
func (r *rec) Retain() { r.refs.Add(1) }
func (r *rec) Release() {
	if r.refs.Add(-1) == 0 {
		recs.Put(r)
	}
}

// Wrong: cursor with Current/Next, Close deferred
type cur struct{ now *rec }

func (c *cur) Next() bool {
	if c.now != nil {
		c.now.Release()
	}
	c.now = newRec()
	return true
}
func (c *cur) Current() *rec { return c.now }
func (c *cur) Close() {
	if c.now != nil {
		c.now.Release() // want `Close releases what field now holds, which Current lent to lv1, which released it already`
		c.now = nil
	}
}
func lv1(c *cur) (n int) {
	defer c.Close()
	for c.Next() {
		r := c.Current()
		n += len(r.v)
		r.Release()
	}
	return n
}

// Wrong: through an interface, deferred release
type it interface {
	Next() bool
	Current2() *rec
}
type cur2 struct{ st struct{ r *rec } }

func (c *cur2) Next() bool     { c.free(); c.st.r = newRec(); return true } // want `Next releases what field r holds, which Current2 lent to do, which released it already`
func (c *cur2) Current2() *rec { return c.st.r }
func (c *cur2) free() {
	if r := c.st.r; r != nil {
		r.Release()
	}
}
func lv2(i it) int {
	for i.Next() {
		if do(i) > 3 {
			break
		}
	}
	return 0
}
func do(i it) int {
	r := i.Current2()
	defer r.Release()
	i.Next()
	return len(r.v)
}

// Right: retains
type cur3 struct{ now *rec }

func (c *cur3) Next() bool {
	if c.now != nil {
		c.now.Release()
	}
	c.now = newRec()
	return true
}
func (c *cur3) Current() *rec { return c.now }
func ok1(c *cur3) (n int) {
	for c.Next() {
		r := c.Current()
		r.Retain()
		n += len(r.v)
		r.Release()
	}
	return n
}

// Right: taken out
type cur4 struct{ now *rec }

func (c *cur4) Next() bool {
	if c.now != nil {
		c.now.Release()
	}
	c.now = newRec()
	return true
}
func (c *cur4) Take() *rec { r := c.now; c.now = nil; return r }
func ok2(c *cur4) (n int) {
	for c.Next() {
		r := c.Take()
		n += len(r.v)
		r.Release()
	}
	return n
}

// Right: the owner's release is not called by who releases
type result1 struct{ r *rec }

func (c *result1) Rec() *rec { return c.r }
func (c *result1) Drop()     { c.r.Release() }
func ok3(c *result1, want bool) int {
	if !want {
		c.Drop()
		return 0
	}
	r := c.Rec()
	defer r.Release()
	return len(r.v)
}
