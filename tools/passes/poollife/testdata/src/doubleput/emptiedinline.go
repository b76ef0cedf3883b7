package doubleput

import "sync"

// Whoever empties the container asks nothing, so that all is in one block.

type sack struct {
	mu   sync.Mutex
	list []*grain
}

func (s *sack) empty() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.list {
		g.free()
	}
	s.list = nil
}

type sackMill struct {
	mu  sync.Mutex
	cur *sack
}

func (m *sackMill) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.cur; s != nil {
		for _, g := range s.list {
			g.free() // want `the elements of list are put but stay in it: flush, which may hold the object that cur led to, puts them again`
		}
		m.cur = nil
	}
}

func (m *sackMill) flush() {
	m.mu.Lock()
	s := m.cur
	m.mu.Unlock()
	s.empty()
}

type bin struct{ list []*grain }

func (b *bin) empty() {
	for _, g := range b.list {
		g.free()
	}
	b.list = nil
}

type binMill struct {
	mu  sync.Mutex
	cur *bin
}

func (m *binMill) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := m.cur; b != nil {
		for _, g := range b.list {
			g.free()
		}
		m.cur = nil
	}
}

// right: under the lock
func (m *binMill) flush() {
	m.mu.Lock()
	b := m.cur
	b.empty()
	m.mu.Unlock()
}
