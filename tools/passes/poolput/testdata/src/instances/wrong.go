package instances

import "sync"

// A wrapper with a method.

type list[T any] struct{ p sync.Pool }

func (l *list[T]) get() T  { return l.p.Get().(T) }
func (l *list[T]) put(v T) { l.p.Put(v) }

var bytesList = list[[]byte]{sync.Pool{New: func() any { return make([]byte, 0, 64) }}}

func upper(s string, out func([]byte)) {
	b := append(bytesList.get()[:0], s...)
	out(b)
	bytesList.put(b) // want `put puts b, a \[\]byte, in its pool by value`
}

// A function, through another generic one.

var anything sync.Pool

func give[T any](v T) { anything.Put(v) }

func reset[T interface{ Reset() }](v T) {
	v.Reset()
	give(v)
}

type span struct{ from, to int }

func (s span) Reset() {}

func done(s span) {
	reset(s) // want `reset puts s, a span, in its pool by value`
}

// Deferred, on an embedded wrapper.

type names struct{ list[[]string] }

var all names

func each(f func([]string)) {
	n := all.get()
	defer all.put(n) // want `put puts n, a \[\]string, in its pool by value`
	f(n)
}

// What the wrapper's function makes of it.

type shaped[T any] struct {
	p   sync.Pool
	cut func(T) T
}

func (s *shaped[T]) put(v T) { s.p.Put(s.cut(v)) }

var cuts = shaped[[]int]{cut: func(x []int) []int { return x[:0] }}

func sum(x []int) {
	cuts.put(x) // want `put puts x, a \[\]int, in its pool by value`
}
