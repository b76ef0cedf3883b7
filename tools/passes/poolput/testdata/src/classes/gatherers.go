package classes

import (
	"math/bits"
	"sync"
)

// Slices in a struct, which somebody else appends to.

type gatherer struct{ data []byte }

var gatherers [24]sync.Pool

func getGatherer(n int) *gatherer {
	k := bits.Len(uint(n - 1))
	if g, ok := gatherers[k].Get().(*gatherer); ok {
		g.data = g.data[:n]
		return g
	}
	return &gatherer{data: make([]byte, n, 1<<k)}
}

func putGatherer(g *gatherer) {
	gatherers[bits.Len(uint(cap(g.data)-1))].Put(g) // want `a slice with a capacity of \d+ goes to a pool from which getGatherer takes slices for up to|the capacity is rounded up to the size class of gatherers`
}

func (g *gatherer) add(line string) { g.data = append(g.data, line...) }

func gather(lines []string, use func([]byte)) {
	g := getGatherer(len(lines))
	for _, l := range lines {
		g.add(l)
	}
	use(g.data)
	putGatherer(g)
}

// Right: nobody makes it larger.

type holder struct{ data []byte }

var holders [24]sync.Pool

func getHolder(n int) *holder {
	k := bits.Len(uint(n - 1))
	if h, ok := holders[k].Get().(*holder); ok {
		h.data = h.data[:n]
		return h
	}
	return &holder{data: make([]byte, n, 1<<k)}
}

func putHolder(h *holder) {
	holders[bits.Len(uint(cap(h.data)-1))].Put(h)
}

func hold(line string, use func([]byte)) {
	h := getHolder(len(line))
	copy(h.data, line)
	use(h.data)
	putHolder(h)
}
