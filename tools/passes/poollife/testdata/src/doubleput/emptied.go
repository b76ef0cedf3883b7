// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import "sync"

type grain struct{ b []byte }

var grains = sync.Pool{New: func() any { return new(grain) }}

func (g *grain) free() {
	g.b = g.b[:0]
	grains.Put(g)
}

type heap struct {
	mu   sync.Mutex
	list []*grain
	lost int
}

func (h *heap) empty() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range h.list {
		g.free()
	}
	h.list = nil
}

func (h *heap) lose() {
	h.lost += len(h.list)
	for n := range h.list {
		h.list[n].free()
	}
	h.list = h.list[:0]
}

type mill struct {
	mu  sync.RWMutex
	cur *heap
}

// The heap may be in the hands of work.
func (m *mill) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := m.cur; h != nil {
		for _, g := range h.list {
			g.free() // want `the elements of list are put but stay in it: work, which may hold the object that cur led to, puts them again`
		}
		m.cur = nil
	}
}

func (m *mill) dropCleared() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := m.cur; h != nil {
		for n, g := range h.list {
			g.free()
			h.list[n] = nil
		}
		h.list = nil
		m.cur = nil
	}
}

func (m *mill) dropEmpty() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := m.cur; h != nil {
		h.empty()
		m.cur = nil
	}
}

func (m *mill) work(g *grain) {
	m.mu.RLock()
	h := m.cur
	m.mu.RUnlock()
	if h == nil {
		return
	}
	if g == nil {
		h.lose()
		return
	}
	h.mu.Lock()
	h.list = append(h.list, g)
	h.mu.Unlock()
}

// Here the heap is used under the lock only.
type quietMill struct {
	mu  sync.Mutex
	cur *pile
}

type pile struct{ list []*grain }

func (p *pile) empty() {
	for _, g := range p.list {
		g.free()
	}
	p.list = nil
}

func (m *quietMill) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.cur; p != nil {
		for _, g := range p.list {
			g.free()
		}
		m.cur = nil
	}
}

func (m *quietMill) work(g *grain) {
	m.mu.Lock()
	if p := m.cur; p != nil {
		if g == nil {
			p.empty()
		} else {
			p.list = append(p.list, g)
		}
	}
	m.mu.Unlock()
}
