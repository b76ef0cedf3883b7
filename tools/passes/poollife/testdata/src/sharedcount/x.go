// SPDX-License-Identifier: BSD-3-Clause

package sharedcount

import (
	"sync"
	"sync/atomic"
)

type page [4096]byte

var (
	pages   = sync.Pool{New: func() any { return new(page) }}
	counts  = sync.Pool{New: func() any { return new(atomic.Int32) }}
	windows = sync.Pool{New: func() any { return new(window) }}
)

// A window shows part of a page, and shares the count of all that do.
type window struct {
	page *page
	data []byte
	refs *atomic.Int32
}

func open(n int) *window {
	w := windows.Get().(*window)
	w.page = pages.Get().(*page)
	w.data = w.page[:n]
	w.refs = counts.Get().(*atomic.Int32)
	w.refs.Store(1)
	return w
}

func (w *window) Ref() { w.refs.Add(1) }

func (w *window) Free() {
	switch refs := w.refs.Add(-1); {
	case refs > 0:
		return
	case refs == 0:
		pages.Put(w.page)
		counts.Put(w.refs)
		w.page, w.data, w.refs = nil, nil, nil
		windows.Put(w)
	default:
		panic("freed twice")
	}
}

func (w *window) cut(n int) (*window, *window) {
	w.Ref()
	rest := windows.Get().(*window) // want `rest, taken here, shares its count in refs with another window \(line \d+\), and window.Free puts what it is given only when that comes to zero`
	rest.page, rest.data, rest.refs = w.page, w.data[n:], w.refs
	w.data = w.data[:n]
	return w, rest
}

// The count is in a struct that all share, and has a lock.
type sheet struct {
	mu   sync.Mutex
	refs int
	page *page
}

type note struct {
	sheet *sheet
	from  int
}

type notes struct{ pool sync.Pool }

func (ns *notes) get() *note {
	if n, ok := ns.pool.Get().(*note); ok {
		return n
	}
	return new(note)
}

func (ns *notes) Drop(n *note) {
	s := n.sheet
	s.mu.Lock()
	s.refs--
	last := s.refs == 0
	s.mu.Unlock()
	if !last {
		return
	}
	pages.Put(s.page)
	n.sheet = nil
	ns.pool.Put(n)
}

func (ns *notes) first() *note {
	n := ns.get()
	n.sheet = &sheet{refs: 1, page: pages.Get().(*page)}
	return n
}

func (n *note) over(s *note) {
	s.sheet.mu.Lock()
	s.sheet.refs++
	s.sheet.mu.Unlock()
	n.sheet = s.sheet
}

func (ns *notes) next(of *note, from int) *note {
	n := ns.get() // want `n, taken here, shares its count in sheet with another note \(line \d+\), and notes.Drop puts what it is given only when that comes to zero`
	n.over(of)
	n.from = from
	return n
}

// A plain number, and all set at once.
type slab[E any] struct {
	all  []E
	refs *int64
}

var slabs = sync.Pool{New: func() any { return new(slab[int]) }}

func (s *slab[E]) again() *slab[E] {
	atomic.AddInt64(s.refs, 1)
	o := slabs.Get().(*slab[E]) // want `o, taken here, shares its count in refs with another slab \(line \d+\), and slab.release puts what it is given only when that comes to zero`
	*o = slab[E]{all: s.all, refs: s.refs}
	return o
}

func (s *slab[E]) release() {
	if atomic.AddInt64(s.refs, -1) == 0 {
		s.all, s.refs = nil, nil
		slabs.Put(s)
	}
}

func firstSlab() *slab[int] {
	s := slabs.Get().(*slab[int])
	s.refs = new(int64)
	*s.refs = 1
	return s
}

// Here each receiver is put, and only the page waits for the last.
type view struct {
	page *page
	refs *atomic.Int32
}

var views = sync.Pool{New: func() any { return new(view) }}

func newView() *view {
	v := views.Get().(*view)
	v.page = pages.Get().(*page)
	v.refs = new(atomic.Int32)
	v.refs.Store(1)
	return v
}

func (v *view) Free() {
	if v.refs.Add(-1) == 0 {
		pages.Put(v.page)
	}
	v.page, v.refs = nil, nil
	views.Put(v)
}

func (v *view) share() *view {
	v.refs.Add(1)
	o := views.Get().(*view)
	o.page, o.refs = v.page, v.refs
	return o
}

// Here those who are not the last go to a list, and the last puts all that is there.
type leaf struct {
	stem *stem
	page *page
}

type stem struct {
	refs atomic.Int32
	mu   sync.Mutex
	gone []*leaf
}

var leaves = sync.Pool{New: func() any { return new(leaf) }}

func newLeaf() *leaf {
	l := leaves.Get().(*leaf)
	l.stem = new(stem)
	l.stem.refs.Store(1)
	return l
}

func (l *leaf) twin() *leaf {
	l.stem.refs.Add(1)
	o := leaves.Get().(*leaf)
	o.stem = l.stem
	return o
}

func (l *leaf) Free() {
	s := l.stem
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = append(s.gone, l)
	if s.refs.Add(-1) > 0 {
		return
	}
	for _, x := range s.gone {
		x.stem = nil
		leaves.Put(x)
	}
	s.gone = nil
}

// Here the count moves to another object, which is the only one then.
type token struct{ refs *atomic.Int32 }

var tokens = sync.Pool{New: func() any { return new(token) }}

func newToken() *token {
	t := tokens.Get().(*token)
	t.refs = new(atomic.Int32)
	t.refs.Store(1)
	return t
}

func (t *token) Free() {
	if t.refs.Add(-1) > 0 {
		return
	}
	t.refs = nil
	tokens.Put(t)
}

func (t *token) lend(use func(*token)) {
	use(t)
	t.Free()
}

func (t *token) move() *token {
	o := tokens.Get().(*token)
	o.refs, t.refs = t.refs, nil
	return o
}

// Here one object is shared, by its pointer.
type chunk struct {
	page *page
	refs *atomic.Int32
}

var chunks = sync.Pool{New: func() any { return &chunk{refs: new(atomic.Int32)} }}

func newChunk() *chunk {
	c := chunks.Get().(*chunk)
	c.refs.Store(1)
	return c
}

func (c *chunk) Ref() *chunk {
	c.refs.Add(1)
	return c
}

func (c *chunk) Free() {
	if c.refs.Add(-1) > 0 {
		return
	}
	chunks.Put(c)
}

// Here those that share the count are from no pool.
func (c *chunk) view() *chunk {
	c.refs.Add(1)
	return &chunk{page: c.page, refs: c.refs}
}

// Here another function puts those that are not the last.
type block struct {
	page *page
	refs *atomic.Int32
}

var blocks = sync.Pool{New: func() any { return new(block) }}

func newBlock() *block {
	b := blocks.Get().(*block)
	b.refs = new(atomic.Int32)
	b.refs.Store(1)
	return b
}

func (b *block) Free() bool {
	if b.refs.Add(-1) > 0 {
		return false
	}
	b.refs = nil
	blocks.Put(b)
	return true
}

func (b *block) part() *block {
	b.refs.Add(1)
	o := blocks.Get().(*block)
	o.refs = b.refs
	return o
}

func done(b *block) {
	if !b.Free() {
		b.refs = nil
		blocks.Put(b)
	}
}
