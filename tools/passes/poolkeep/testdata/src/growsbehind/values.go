package growsbehind

import (
	"strconv"
	"sync"
)

// A wrapper for values of any type that are put as they are: what is a slice or a map, its users know.

type valuePool[T any] struct{ inner sync.Pool }

func (p *valuePool[T]) take() T { return p.inner.Get().(T) }

func (p *valuePool[T]) give(v T) { p.inner.Put(v) } // want `paths keeps v, put at line 14, whatever its size`

var paths = &valuePool[[]byte]{sync.Pool{New: func() any { return make([]byte, 0, 64) }}}

func addPath(dst []byte, parts []string) []byte {
	for _, p := range parts {
		dst = append(dst, '/')
		dst = append(dst, p...)
	}
	return dst
}

func visit(all [][]string, emit func([]byte) bool) {
	path := paths.take()
	defer func() { paths.give(path[:0]) }()
	for _, parts := range all {
		path = addPath(path[:0], parts)
		if !emit(path) {
			return
		}
	}
}

type tablePool[T any] struct{ inner sync.Pool }

func (p *tablePool[T]) take() T { return p.inner.Get().(T) }

func (p *tablePool[T]) give(v T) { p.inner.Put(v) } // want `seen keeps v, put at line 41, whatever its size`

var seen = &tablePool[map[string]bool]{sync.Pool{New: func() any { return map[string]bool{} }}}

func distinct(rows []string) int {
	m := seen.take()
	defer seen.give(m)
	clear(m)
	for _, r := range rows {
		m[r] = true
	}
	return len(m)
}

// The wrapper cuts it.

type cutPool[S ~[]E, E any] struct{ inner sync.Pool }

func (p *cutPool[S, E]) take() S { return p.inner.Get().(S) }

func (p *cutPool[S, E]) give(v S) { p.inner.Put(v[:0]) } // want `quotes keeps v, put at line 61, whatever its size`

var quotes cutPool[[]byte, byte]

func quoteAll(rows []string, emit func([]byte)) {
	b := quotes.take()
	for _, r := range rows {
		b = strconv.AppendQuote(b, r)
	}
	emit(b)
	quotes.give(b)
}

// The wrapper makes a new box for each value.

type newBoxPool[T any] struct{ inner sync.Pool }

func (p *newBoxPool[T]) take() T { return *p.inner.Get().(*T) }

func (p *newBoxPool[T]) give(v T) { p.inner.Put(&v) } // want `sheets keeps &v, put at line 80, whatever its size`

var sheets = &newBoxPool[[]byte]{sync.Pool{New: func() any { return new([]byte) }}}

func fillSheet(rows []string, emit func([]byte)) {
	b := sheets.take()[:0]
	for _, r := range rows {
		b = append(b, r...)
	}
	emit(b)
	sheets.give(b)
}

var drafts sync.Pool

func draft(rows []string, emit func([]byte)) {
	box := drafts.Get().(*[]byte)
	b := (*box)[:0]
	for _, r := range rows {
		b = strconv.AppendQuote(b, r)
	}
	emit(b)
	drafts.Put(&b) // want `drafts keeps &b, put at line 102, whatever its size`
}

// Here somebody asks for the size.

type boundPool[T any] struct{ inner sync.Pool }

func (p *boundPool[T]) take() T { return p.inner.Get().(T) }

func (p *boundPool[T]) give(v T) { p.inner.Put(v) }

var boundPaths = &boundPool[[]byte]{sync.Pool{New: func() any { return make([]byte, 0, 64) }}}

func giveBound(b []byte) {
	if cap(b) <= 1<<12 {
		boundPaths.give(b[:0])
	}
}

func visitBound(all [][]string, emit func([]byte) bool) {
	path := boundPaths.take()
	defer func() { giveBound(path) }()
	for _, parts := range all {
		path = addPath(path[:0], parts)
		if !emit(path) {
			return
		}
	}
}

type wisePool[T any] struct{ inner sync.Pool }

func (p *wisePool[T]) take() T { return p.inner.Get().(T) }

func (p *wisePool[T]) give(v T) {
	if b, ok := any(v).([]byte); ok && cap(b) > 1<<12 {
		return
	}
	p.inner.Put(v)
}

var wisePaths = &wisePool[[]byte]{sync.Pool{New: func() any { return make([]byte, 0, 64) }}}

func visitWise(all [][]string, emit func([]byte) bool) {
	path := wisePaths.take()
	defer func() { wisePaths.give(path[:0]) }()
	for _, parts := range all {
		path = addPath(path[:0], parts)
		if !emit(path) {
			return
		}
	}
}

var smallDrafts sync.Pool

func smallDraft(rows []string, emit func([]byte)) {
	box := smallDrafts.Get().(*[]byte)
	b := (*box)[:0]
	for _, r := range rows {
		b = append(b, r...)
	}
	emit(b)
	if cap(b) < 1<<14 {
		smallDrafts.Put(&b)
	}
}

// The other box gets what it came with, and what grew is dropped.

var firsts sync.Pool

func firstOf(rows []string, emit func([]byte)) {
	box := firsts.Get().(*[]byte)
	b := (*box)[:0]
	for _, r := range rows {
		b = append(b, r...)
	}
	emit(b)
	b = (*box)[:0]
	firsts.Put(&b)
}

// It has always the same size.

type fixedPool[T any] struct{ inner sync.Pool }

func (p *fixedPool[T]) take() T { return p.inner.Get().(T) }

func (p *fixedPool[T]) give(v T) { p.inner.Put(v) }

var numbers = &fixedPool[[]byte]{sync.Pool{New: func() any { return make([]byte, 0, 24) }}}

func number(n int64, emit func([]byte)) {
	b := numbers.take()
	b = strconv.AppendInt(b[:0], n, 10)
	emit(b)
	numbers.give(b)
}
