// SPDX-License-Identifier: BSD-3-Clause

package movedout // What is taken out of a field, and put only where a call succeeds.

import (
	"io"
	"sync"
)

var sets = sync.Pool{New: func() any { return make(set) }}

type set map[string]bool

type gather struct {
	mu   sync.Mutex
	cur  set
	sink func(set) error
	out  io.Writer
}

func (g *gather) add(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cur == nil {
		g.cur = sets.Get().(set)
	}
	g.cur[name] = true
}

func (g *gather) take() set {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.cur
	g.cur = nil
	return s
}

func (g *gather) flush() error {
	s := g.take()
	if s == nil {
		return nil
	}
	if err := g.sink(s); err != nil { // want `s, which was in field cur, which was taken from sets, is put after this call, but not where it fails`
		return err
	}
	clear(s)
	sets.Put(s)
	return nil
}

func (g *gather) flushAll() {
	for {
		s := g.take()
		if s == nil {
			return
		}
		if err := g.sink(s); err == nil { // want `s, which was in field cur, which was taken from sets, is put after this call, but not where it fails`
			clear(s)
			sets.Put(s)
			continue
		}
		return
	}
}

func (g *gather) flushHere() error {
	g.mu.Lock()
	s := g.cur
	g.cur = nil
	g.mu.Unlock()
	if s == nil {
		return nil
	}
	err := g.sink(s) // want `what was in field cur, which was taken from sets, is put after this call, but not where it fails`
	if err != nil {
		return err
	}
	clear(s)
	sets.Put(s)
	return nil
}

// flushFirst puts before it looks at the error.
func (g *gather) flushFirst() error {
	s := g.take()
	if s == nil {
		return nil
	}
	err := g.sink(s)
	clear(s)
	sets.Put(s)
	if err != nil {
		return err
	}
	return nil
}

func (g *gather) flushDeferred() error {
	s := g.take()
	if s == nil {
		return nil
	}
	defer sets.Put(s)
	clear(s)
	return g.sink(s)
}

// flushBoth puts on either way.
func (g *gather) flushBoth() error {
	s := g.take()
	if s == nil {
		return nil
	}
	if err := g.sink(s); err != nil {
		clear(s)
		sets.Put(s)
		return err
	}
	clear(s)
	sets.Put(s)
	return nil
}

// flushBack gives it back to the field.
func (g *gather) flushBack() error {
	s := g.take()
	if s == nil {
		return nil
	}
	if err := g.sink(s); err != nil {
		g.mu.Lock()
		g.cur = s
		g.mu.Unlock()
		return err
	}
	clear(s)
	sets.Put(s)
	return nil
}

// flushLoop tries until it succeeds.
func (g *gather) flushLoop() {
	s := g.take()
	if s == nil {
		return
	}
	for g.sink(s) != nil {
	}
	clear(s)
	sets.Put(s)
}
