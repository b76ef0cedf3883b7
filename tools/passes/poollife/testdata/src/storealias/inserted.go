package storealias

import (
	"maps"
	"slices"
	"sync"
)

// What is inserted in a list, copied to a map, or made a key, somebody else has.

type guest struct{ n int }

var guests = sync.Pool{New: func() any { return new(guest) }}

type party struct {
	list []*guest
	by   map[string]*guest
	seen map[*guest]bool
	came map[*guest]struct{}
}

func (p *party) insert() {
	g := guests.Get().(*guest)
	g.n = 1
	p.list = slices.Insert(p.list, 0, g)
}

func (p *party) insertAndPut() {
	g := guests.Get().(*guest)
	g.n = 1
	p.list = slices.Insert(p.list, 0, g) // want `keeps memory of g`
	guests.Put(g)
}

func (p *party) replace(i int) {
	guests.Put(p.list[i])
	g := guests.Get().(*guest)
	g.n = 1
	p.list = slices.Replace(p.list, i, i+1, g)
}

func (p *party) several() {
	g, h := guests.Get().(*guest), guests.Get().(*guest)
	g.n, h.n = 1, 2
	p.list = slices.AppendSeq(p.list, slices.Values([]*guest{g, h}))
}

func (p *party) severalAndPut() {
	g := guests.Get().(*guest)
	g.n = 1
	p.list = slices.AppendSeq(p.list, slices.Values([]*guest{g})) // want `keeps memory of g`
	guests.Put(g)
}

func (p *party) merge() {
	g := guests.Get().(*guest)
	g.n = 1
	maps.Copy(p.by, map[string]*guest{"g": g})
}

func (p *party) mergeAndPut() {
	g := guests.Get().(*guest)
	g.n = 1
	maps.Copy(p.by, map[string]*guest{"g": g}) // want `keeps memory of g`
	guests.Put(g)
}

func (p *party) mark() {
	g := guests.Get().(*guest)
	g.n = 1
	p.seen[g] = true
}

func (p *party) enter() {
	g := guests.Get().(*guest)
	g.n = 1
	p.came[g] = struct{}{}
}

func (p *party) leave() {
	for g := range p.came {
		delete(p.came, g)
		guests.Put(g)
	}
}

func marked(n int) map[*guest]bool {
	m := map[*guest]bool{}
	for range n {
		m[guests.Get().(*guest)] = false
	}
	return m
}

// Right: the list is the function's own.
func sorted(n int) (sum int) {
	var list []*guest
	for i := range n {
		g := guests.Get().(*guest)
		g.n = i
		list = slices.Insert(list, 0, g)
	}
	for _, g := range list {
		sum += g.n
		guests.Put(g)
	}
	return sum
}
