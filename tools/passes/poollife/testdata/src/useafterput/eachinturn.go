// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"io"
	"sync"
)

// Loops over several values that were taken, each of which they put.

var blockBytes = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type block struct{ data []byte }

type blockSource struct {
	in    io.Reader
	taken []*[]byte
}

func (s *blockSource) next() (*block, error) {
	b := blockBytes.Get().(*[]byte)
	s.taken = append(s.taken, b)
	n, err := s.in.Read(*b)
	return &block{(*b)[:n]}, err
}

func (s *blockSource) close() {
	for _, b := range s.taken {
		blockBytes.Put(b)
	}
	s.taken = nil
}

func sendLast(s *blockSource, send func(*block)) {
	var last *block
	for {
		b, err := s.next()
		if err != nil {
			break
		}
		last = b
	}
	s.close()
	if last != nil {
		send(last) // want `after it was put in blockBytes`
	}
}

func sendSecond(s *blockSource, send func(*block)) {
	a, err := s.next()
	if err != nil {
		return
	}
	send(a)
	b, err := s.next()
	if err != nil {
		return
	}
	s.close()
	send(b) // want `after it was put in blockBytes`
}

// The sources are behind an interface, and one method of it calls another.

type feed interface {
	Recv() (*leaflet, error)
	CloseSend() error
}

type leaflet struct{ text []byte }

type pageFeed struct {
	in    io.Reader
	pages *sync.Pool
	lent  []*[]byte
}

func (f *pageFeed) Recv() (*leaflet, error) {
	b := f.pages.Get().(*[]byte)
	f.lent = append(f.lent, b)
	n, err := f.in.Read(*b)
	return &leaflet{(*b)[:n]}, err
}

func (f *pageFeed) free() {
	for _, b := range f.lent {
		f.pages.Put(b)
	}
	f.lent = nil
}

func (f *pageFeed) CloseSend() error {
	f.free()
	return nil
}

func joined(feeds []feed, send func(*leaflet) error) error {
	var held *leaflet
	for _, f := range feeds {
		for {
			p, err := f.Recv()
			if err != nil {
				break
			}
			if held != nil {
				send(held)
			}
			held = p
		}
		f.CloseSend()
	}
	if held == nil {
		return nil
	}
	return send(held) // want `after it was put in pages`
}

func joinedPages(list []*pageFeed, send func(*leaflet) error) error {
	var feeds []feed
	for _, f := range list {
		feeds = append(feeds, f)
	}
	return joined(feeds, send)
}

type counter32 struct{ n [32]int }

var counters32 = sync.Pool{New: func() any { return new(counter32) }}

type gathered[T any] struct{ list []*T }

func (g *gathered[T]) keep(v *T) *T { g.list = append(g.list, v); return v }

func counted32(g *gathered[counter32]) int {
	a := g.keep(counters32.Get().(*counter32))
	b := g.keep(counters32.Get().(*counter32))
	a.n[0]++
	for _, c := range g.list {
		counters32.Put(c)
	}
	g.list = nil
	return b.n[0] // want `after it was put in counters32`
}

// Right: but one of them, those whose index is low, those that are not the one to keep, and copies.

func butLast(use func(*counter32)) {
	list := []*counter32{}
	list = append(list, counters32.Get().(*counter32))
	list = append(list, counters32.Get().(*counter32))
	for _, c := range list[:len(list)-1] {
		counters32.Put(c)
	}
	use(list[len(list)-1])
	counters32.Put(list[len(list)-1])
}

func lowFirst(g *gathered[counter32], most int) {
	g.keep(counters32.Get().(*counter32))
	g.keep(counters32.Get().(*counter32))
	for i, c := range g.list {
		if i > most {
			counters32.Put(c)
		}
	}
	for i, c := range g.list {
		if i <= most {
			c.n[0]++
			counters32.Put(c)
		}
	}
	g.list = nil
}

func (g *gathered[T]) dropOthers(keep *T, put func(*T)) {
	for _, c := range g.list {
		if c != keep {
			put(c)
		}
	}
	g.list = append(g.list[:0], keep)
}

func keptOne(g *gathered[counter32]) int {
	g.keep(counters32.Get().(*counter32))
	b := g.keep(counters32.Get().(*counter32))
	g.dropOthers(b, func(c *counter32) { counters32.Put(c) })
	return b.n[0]
}

func copied32(g *gathered[counter32]) int {
	a, b := *g.keep(counters32.Get().(*counter32)), *g.keep(counters32.Get().(*counter32))
	for _, c := range g.list {
		counters32.Put(c)
	}
	g.list = nil
	return a.n[0] + b.n[0]
}
