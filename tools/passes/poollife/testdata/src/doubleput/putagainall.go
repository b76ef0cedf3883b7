// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"sync"
)

// Arenas that are noted in a container, and sent to who puts them.

type notedArena struct {
	text [64]byte
	n    int
}

var notedArenas = sync.Pool{New: func() any { return new(notedArena) }}

func (a *notedArena) free() { a.n = 0; notedArenas.Put(a) }

type notedParcel struct {
	id    int
	rows  [][]byte
	arena *notedArena
}

type notedSorter struct {
	mu      sync.Mutex
	byID    map[int]*notedArena
	parcels chan *notedParcel
}

func (s *notedSorter) fill(id int, text []byte) {
	a := notedArenas.Get().(*notedArena)
	s.mu.Lock()
	s.byID[id] = a
	s.mu.Unlock()
	a.n = copy(a.text[:], text)
	s.parcels <- &notedParcel{id: id, rows: [][]byte{a.text[:a.n]}, arena: a}
}

func (s *notedSorter) empty(out func([]byte)) {
	for p := range s.parcels {
		for _, row := range p.rows {
			out(row)
		}
		p.arena.free()
	}
}

func (s *notedSorter) end() {
	for _, a := range s.byID {
		a.free() // want `the values in byID are put here, and so they are by whoever is given each of them \(line 38\)`
	}
}

// A slice, whose elements goroutines have.
type notedHeap struct {
	mu  sync.Mutex
	all []*notedArena
	wg  sync.WaitGroup
}

func (h *notedHeap) run(text []byte, out func([]byte)) {
	a := notedArenas.Get().(*notedArena)
	h.mu.Lock()
	h.all = append(h.all, a)
	h.mu.Unlock()
	h.wg.Go(func() {
		a.n = copy(a.text[:], text)
		out(a.text[:a.n])
		a.free()
	})
}

func (h *notedHeap) end() {
	h.wg.Wait()
	for i := range h.all {
		h.all[i].free() // want `the values in all are put here, and so they are by whoever is given each of them`
	}
	h.all = nil
}

// Who puts it takes it out of the map before.
type notedClerk struct {
	mu      sync.Mutex
	byID    map[int]*notedArena
	parcels chan notedParcel
}

func (c *notedClerk) fill(id int, text []byte) {
	a := notedArenas.Get().(*notedArena)
	a.n = copy(a.text[:], text)
	c.mu.Lock()
	c.byID[id] = a
	c.mu.Unlock()
	c.parcels <- notedParcel{id: id, arena: a}
}

func (c *notedClerk) forget(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byID, id)
}

func (c *notedClerk) empty(out func([]byte)) {
	for p := range c.parcels {
		out(p.arena.text[:p.arena.n])
		c.forget(p.id)
		p.arena.free()
	}
}

func (c *notedClerk) end() {
	for _, a := range c.byID {
		a.free()
	}
	clear(c.byID)
}

// Who receives only uses it, and the end puts it.
type notedReader struct {
	mu      sync.Mutex
	byID    map[int]*notedArena
	parcels chan *notedParcel
}

func (r *notedReader) fill(id int, text []byte) {
	a := notedArenas.Get().(*notedArena)
	a.n = copy(a.text[:], text)
	r.mu.Lock()
	r.byID[id] = a
	r.mu.Unlock()
	r.parcels <- &notedParcel{id: id, arena: a}
}

func (r *notedReader) empty(out func([]byte)) {
	for p := range r.parcels {
		out(p.arena.text[:p.arena.n])
	}
}

func (r *notedReader) end() {
	for _, a := range r.byID {
		a.free()
	}
	clear(r.byID)
}

// Who puts it takes it out of the map only then.
type notedLate struct {
	mu      sync.Mutex
	byID    map[int]*notedArena
	parcels chan notedParcel
}

func (l *notedLate) fill(id int, text []byte) {
	a := notedArenas.Get().(*notedArena)
	a.n = copy(a.text[:], text)
	l.mu.Lock()
	l.byID[id] = a // want `an element of a slice or map keeps memory of the value after the value was handed to a goroutine that puts it back`
	l.mu.Unlock()
	l.parcels <- notedParcel{id: id, arena: a}
}

func (l *notedLate) empty(out func([]byte)) {
	for p := range l.parcels {
		out(p.arena.text[:p.arena.n])
		p.arena.free()
		l.mu.Lock()
		delete(l.byID, p.id)
		l.mu.Unlock()
	}
}
