package keptwhole

import "sync"

type field struct{ k, v string }

// Overwritten with a slice that is as long as it was.

type entry struct {
	msg    string
	fields []field
}

var entries = sync.Pool{New: func() any { return new(entry) }}

func (e *entry) reset() { // want `reset resets fields of the pooled entry but not fields`
	*e = entry{fields: e.fields}
}

func (e *entry) add(k, v string) { e.fields = append(e.fields, field{k, v}) }

func begin(msg string) *entry {
	e := entries.Get().(*entry)
	e.msg = msg
	return e
}

func (e *entry) end(out func(string, string)) {
	for _, f := range e.fields {
		out(f.k, f.v)
	}
	e.reset()
	entries.Put(e)
}

// Through a variable, and a map.

type group struct {
	name string
	sums map[string]int
}

var groups = sync.Pool{New: func() any { return &group{sums: map[string]int{}} }}

func (g *group) add(k string, n int) { g.sums[k] = n }

func free(g *group) { // want `free resets fields of the pooled group but not sums`
	sums := g.sums
	*g = group{}
	g.sums = sums
	groups.Put(g)
}

func open(name string) *group {
	g := groups.Get().(*group)
	g.name = name
	return g
}

func (g *group) close(out func(string, int)) {
	for k, n := range g.sums {
		out(k, n)
	}
	free(g)
}
