// SPDX-License-Identifier: BSD-3-Clause

package growsbehind

import (
	"bytes"
	"strings"
	"sync"
)

// Wrong: who takes a Lexer is out of view, but its method fills the buffer with the input.
type Lexer struct {
	src string
	pos int
	lit bytes.Buffer
}

var lexers = sync.Pool{New: func() any { return new(Lexer) }}

func NewLexer(src string) *Lexer {
	l := lexers.Get().(*Lexer)
	l.src, l.pos = src, 0
	l.lit.Reset()
	return l
}

func (l *Lexer) Close() {
	l.src = ""
	lexers.Put(l) // want `lexers keeps l, put at line 29, whatever its size`
}

func (l *Lexer) Text() string {
	l.lit.Reset()
	for ; l.pos < len(l.src) && l.src[l.pos] != '"'; l.pos++ {
		l.lit.WriteByte(l.src[l.pos])
	}
	return l.lit.String()
}

// Right: above a limit it is dropped.
type Form struct{ out bytes.Buffer }

var forms = sync.Pool{New: func() any { return new(Form) }}

func NewForm() *Form {
	f := forms.Get().(*Form)
	f.out.Reset()
	return f
}

func (f *Form) Add(name string) { f.out.WriteString(name) }

func (f *Form) Close() {
	if f.out.Cap() <= 1<<16 {
		forms.Put(f)
	}
}

// Right: what is written has few bytes.
type Mark struct{ out bytes.Buffer }

var marks = sync.Pool{New: func() any { return new(Mark) }}

func NewMark() *Mark {
	m := marks.Get().(*Mark)
	m.out.Reset()
	return m
}

func (m *Mark) Set(yes bool) {
	if yes {
		m.out.WriteString("yes")
	} else {
		m.out.WriteByte('-')
	}
}

func (m *Mark) Close() { marks.Put(m) }

// Right: Reset lets go of the memory.
type Name struct{ out strings.Builder }

var names = sync.Pool{New: func() any { return new(Name) }}

func NewName() *Name { return names.Get().(*Name) }

func (n *Name) Add(part string) { n.out.WriteString(part) }

func (n *Name) Close() {
	n.out.Reset()
	names.Put(n)
}

// Wrong: the slice comes back from elsewhere, in a field, and grows there.
type lines struct{ p sync.Pool }

func (l *lines) get() []int { return l.p.Get().([]int)[:0] }

func (l *lines) put(v []int) {
	l.p.Put(v[:0]) // want `found keeps v, put at line 100, whatever its size`
}

var found = &lines{sync.Pool{New: func() any { return make([]int, 0, 64) }}}

type search struct {
	next func([]int) []int
	hits []int
}

func (s *search) fill() {
	if s.hits == nil {
		s.hits = s.next(found.get())
	}
}

func (s *search) merge(others []*search) {
	for _, o := range others {
		s.hits = append(s.hits, o.hits...)
		found.put(o.hits)
		o.hits = nil
	}
}

// Right: what the field gathers is one more at a time, and the slices are told by their size.
type steps struct{ p sync.Pool }

func (s *steps) get() []string { return s.p.Get().([]string)[:0] }

func (s *steps) put(v []string) {
	if cap(v) > 256 {
		return
	}
	clear(v)
	s.p.Put(v[:0])
}

var trail = &steps{sync.Pool{New: func() any { return make([]string, 0, 64) }}}

type walk struct {
	next func([]string) []string
	path []string
}

func (w *walk) fill() { w.path = w.next(trail.get()) }

func (w *walk) join(o *walk) {
	w.path = append(w.path, o.path...)
	trail.put(o.path)
	o.path = nil
}
