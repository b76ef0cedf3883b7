// SPDX-License-Identifier: BSD-3-Clause

package elsewhere

import (
	"container/list"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

type tile struct {
	x, y int
	pix  [1024]byte
}

var tiles = sync.Pool{New: func() any { return new(tile) }}

// An atlas lets go of tiles first in, first out.
type atlas struct {
	src   io.ReaderAt
	order []int
	byPos map[int]*tile
}

func (a *atlas) shrink() {
	first := a.order[0]
	a.order = a.order[1:]
	t := a.byPos[first]
	delete(a.byPos, first)
	tiles.Put(t)
}

func (a *atlas) at(pos int) *tile {
	if t, ok := a.byPos[pos]; ok {
		return t
	}
	for len(a.order) > 16 {
		a.shrink()
	}
	t := tiles.Get().(*tile)
	clear(t.pix[:])
	a.src.ReadAt(t.pix[:], int64(pos))
	a.order = append(a.order, pos)
	a.byPos[pos] = t
	return t
}

func (a *atlas) differ(p, q int) bool {
	t := a.at(p)
	u := a.at(q)
	return t.pix != u.pix // want `may be what shrink took out of byPos and put`
}

// What is needed of the first is copied before the second is asked for.
func (a *atlas) differRight(p, q int) bool {
	pix := a.at(p).pix
	return pix != a.at(q).pix
}

// A strip of tiles that counts who uses them.
type strip struct {
	order []int
	byPos map[int]*held
	src   io.ReaderAt
}

type held struct {
	uses int
	pix  [64]byte
}

var helds = sync.Pool{New: func() any { return new(held) }}

func (s *strip) shrink() {
	for n, pos := range s.order {
		h := s.byPos[pos]
		if h.uses > 0 {
			continue
		}
		s.order = append(s.order[:n:n], s.order[n+1:]...)
		delete(s.byPos, pos)
		helds.Put(h)
		return
	}
}

func (s *strip) at(pos int) *held {
	if h, ok := s.byPos[pos]; ok {
		h.uses++
		return h
	}
	s.shrink()
	h := helds.Get().(*held)
	h.uses = 1
	clear(h.pix[:])
	s.src.ReadAt(h.pix[:], int64(pos))
	s.order = append(s.order, pos)
	s.byPos[pos] = h
	return h
}

func (s *strip) differ(p, q int) bool {
	h, i := s.at(p), s.at(q)
	defer func() { h.uses--; i.uses-- }()
	return h.pix != i.pix
}

// A recency list: the one asked for last is the last to go, but for other goroutines.
type glyph struct {
	code rune
	el   *list.Element
	bits [64]byte
}

var glyphs = sync.Pool{New: func() any { return new(glyph) }}

type font struct {
	mu     sync.Mutex
	byCode map[rune]*glyph
	recent *list.List
	load   func(rune, *[64]byte)
}

func (f *font) glyph(code rune) *glyph {
	f.mu.Lock()
	defer f.mu.Unlock()
	if g, ok := f.byCode[code]; ok {
		f.recent.MoveToFront(g.el)
		return g
	}
	g := glyphs.Get().(*glyph)
	g.code = code
	f.load(code, &g.bits)
	g.el = f.recent.PushFront(g)
	f.byCode[code] = g
	if f.recent.Len() > 256 {
		last := f.recent.Remove(f.recent.Back()).(*glyph)
		delete(f.byCode, last.code)
		glyphs.Put(last) // want `was in byCode, where glyph finds it for draw, which uses it without the lock`
	}
	return g
}

func (f *font) draw(w io.Writer, code rune) {
	g := f.glyph(code)
	w.Write(g.bits[:])
}

// The same without other goroutines.
type ownFont struct {
	byCode map[rune]*glyph
	recent *list.List
	load   func(rune, *[64]byte)
}

func (f *ownFont) glyph(code rune) *glyph {
	if g, ok := f.byCode[code]; ok {
		f.recent.MoveToFront(g.el)
		return g
	}
	g := glyphs.Get().(*glyph)
	g.code = code
	f.load(code, &g.bits)
	g.el = f.recent.PushFront(g)
	f.byCode[code] = g
	if f.recent.Len() > 256 {
		last := f.recent.Remove(f.recent.Back()).(*glyph)
		delete(f.byCode, last.code)
		glyphs.Put(last)
	}
	return g
}

func (f *ownFont) draw(w io.Writer, code, next rune) {
	g := f.glyph(code)
	w.Write(g.bits[:])
	h := f.glyph(next)
	w.Write(h.bits[:])
	w.Write(g.bits[:])
}

// A janitor drops what is old while others work with it.
type ticket struct {
	last  time.Time
	trace []byte
}

var tickets = sync.Pool{New: func() any { return new(ticket) }}

type desk struct {
	mu   sync.Mutex
	open map[string]*ticket
}

func (d *desk) note(name string, line []byte) {
	d.mu.Lock()
	t := d.open[name]
	d.mu.Unlock()
	if t == nil {
		return
	}
	t.trace = append(t.trace[:0], line...)
}

func (d *desk) sweep(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, t := range d.open {
		if now.Sub(t.last) > time.Hour {
			delete(d.open, name)
			tickets.Put(t) // want `was in open, where note finds it and uses it when it has given back the lock`
		}
	}
}

// The same with the lock held as long as the ticket is used.
type strictDesk struct {
	mu   sync.Mutex
	open map[string]*ticket
}

func (d *strictDesk) note(name string, line []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.open[name]; t != nil {
		t.trace = append(t.trace[:0], line...)
	}
}

func (d *strictDesk) sweep(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, t := range d.open {
		if now.Sub(t.last) > time.Hour {
			delete(d.open, name)
			tickets.Put(t)
		}
	}
}

// Who finds a cell takes a reference before the lock is given back.
type cell struct {
	refs atomic.Int32
	data [128]byte
}

var cells = sync.Pool{New: func() any { return new(cell) }}

func (c *cell) drop() {
	if c.refs.Add(-1) == 0 {
		cells.Put(c)
	}
}

type grid struct {
	mu   sync.Mutex
	keys []int
	all  map[int]*cell
}

func (g *grid) copyTo(w io.Writer, k int) {
	g.mu.Lock()
	c := g.all[k]
	if c == nil {
		g.mu.Unlock()
		return
	}
	c.refs.Add(1)
	g.mu.Unlock()
	w.Write(c.data[:])
	c.drop()
}

func (g *grid) shrink() {
	g.mu.Lock()
	defer g.mu.Unlock()
	k := g.keys[0]
	g.keys = g.keys[1:]
	c := g.all[k]
	delete(g.all, k)
	c.drop()
}

// What the caller names is not what it holds.
type drawer struct{ byName map[string]*cell }

func (d *drawer) remove(name string) {
	c := d.byName[name]
	delete(d.byName, name)
	cells.Put(c)
}

func (d *drawer) replace(from, to string) {
	c := d.byName[from]
	d.remove(to)
	clear(c.data[:])
}

// What the elements hold goes to the pool with them, and a caller may have one.
type cart struct {
	mu    sync.Mutex
	lines []*cell
	seen  time.Time
}

type shop struct {
	mu    sync.Mutex
	carts map[int]*cart
}

func (s *shop) buy(id int, pay func([]byte)) {
	s.mu.Lock()
	c := s.carts[id]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lines {
		pay(l.data[:])
		cells.Put(l)
	}
	c.lines = nil
}

func (s *shop) closeIdle(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, c := range s.carts {
		c.mu.Lock()
		if c.seen.Before(since) {
			for _, l := range c.lines {
				cells.Put(l) // want `was in carts, where buy finds it and puts it, too, when it has given back the lock`
			}
			delete(s.carts, id)
		}
		c.mu.Unlock()
	}
}

type tidyShop struct {
	mu    sync.Mutex
	carts map[int]*tidyCart
}

type tidyCart struct {
	mu    sync.Mutex
	lines []*cell
	seen  time.Time
}

func (s *tidyShop) buy(id int, pay func([]byte)) {
	s.mu.Lock()
	c := s.carts[id]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lines {
		pay(l.data[:])
		cells.Put(l)
	}
	c.lines = nil
}

func (s *tidyShop) closeIdle(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, c := range s.carts {
		c.mu.Lock()
		if c.seen.Before(since) {
			for _, l := range c.lines {
				cells.Put(l)
			}
			c.lines = nil
			delete(s.carts, id)
		}
		c.mu.Unlock()
	}
}
