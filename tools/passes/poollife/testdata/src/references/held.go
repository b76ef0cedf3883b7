package references

import (
	"sync"
	"sync/atomic"
)

type page struct {
	refs atomic.Int32
	key  string
	data []byte
}

var pages = sync.Pool{New: func() any { return new(page) }}

func newPage(k string) *page {
	p := pages.Get().(*page)
	p.key = k
	p.refs.Store(1)
	return p
}

func (p *page) ref() *page { p.refs.Add(1); return p }

func (p *page) unref() {
	if p.refs.Add(-1) == 0 {
		pages.Put(p)
	}
}

type cache struct {
	mu sync.Mutex
	m  map[string]*page
	n  int
}

func (c *cache) put(p *page) {
	c.mu.Lock()
	c.m[p.key] = p.ref()
	c.mu.Unlock()
}

func (c *cache) get(k string) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.m[k]
	if p == nil {
		return nil
	}
	return p.ref()
}

func (c *cache) forget(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.m[k]; ok {
		c.n -= len(p.data)
		delete(c.m, k) // want `p is taken out of m here, which had a reference of its own to it`
	}
}

func (c *cache) forgetRight(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.m[k]; ok {
		c.n -= len(p.data)
		delete(c.m, k)
		p.unref()
	}
}

func (c *cache) forgetFirst(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.m[k]
	if p == nil {
		return
	}
	p.unref()
	delete(c.m, k)
}

func (c *cache) takeOut(k string) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.m[k]
	delete(c.m, k)
	return p
}

type ring struct{ list []*page }

func (r *ring) add(p *page) { r.list = append(r.list, p) }
func (r *ring) pop() *page {
	p := r.list[0]
	r.list = r.list[1:]
	return p
}

func (r *ring) fill(p *page) { p.ref(); r.add(p) }

func (r *ring) oldest() int {
	p := r.pop() // want `p is taken out of list here, which had a reference of its own to it`
	return len(p.data)
}

func (r *ring) oldestRight() int {
	p := r.pop()
	defer p.unref()
	return len(p.data)
}

func use(c *cache, r *ring) {
	p := newPage("a")
	c.put(p)
	r.fill(p)
	p.unref()
}

// What is in it is borrowed: its elements have no reference of their own.
type window struct{ list []*page }

func (w *window) add(p *page) { w.list = append(w.list, p) }
func (w *window) pop() *page {
	p := w.list[0]
	w.list = w.list[1:]
	return p
}
func (w *window) size() int { return len(w.pop().data) }

// What code out of view is given, its owner gives up after the call.
type sink interface{ Take(*page) }

func (r *ring) flush(s sink) {
	s.Take(r.pop()) // want `the page is taken out of list here, which had a reference of its own to it`
}

func (r *ring) flushRight(s sink) {
	p := r.pop()
	s.Take(p)
	p.unref()
}

func direct(s sink) {
	p := newPage("b")
	s.Take(p)
	p.unref()
}

// Nobody shows whether this one keeps a reference.
type store interface{ Keep(*page) }

func (r *ring) store(s store) { s.Keep(r.pop()) }
