package resetindex

import "sync"

type enc struct {
	level int
	size  int
	kind  string
}

// Set back by a method before it is the index.

var byLevel [10]sync.Pool

func (e *enc) reset() {
	e.level = 6
	e.size = 0
}

func take(level int) *enc {
	e, ok := byLevel[level].Get().(*enc)
	if !ok {
		e = new(enc)
	}
	e.level = level
	return e
}

func (e *enc) close() {
	e.reset()
	byLevel[e.level].Put(e) // want `the pool is picked by field level, which was set back`
}

// In place, and the pool found by a function.

var bySize = map[int]*sync.Pool{}

func poolOf(size int) *sync.Pool { return bySize[size] }

func free(e *enc) {
	e.size = 0
	poolOf(e.size).Put(e) // want `the pool is picked by field size`
}

// The key of a map of pools.

var byKind map[string]*sync.Pool

func drop(e *enc) {
	e.kind = ""
	byKind[e.kind].Put(e) // want `the pool is picked by field kind`
}

// A list of structs with a pool each.

type class struct {
	n    int
	pool sync.Pool
}

var classes [4]class

func back(e *enc) {
	e.reset()
	c := &classes[e.level-6]
	c.pool.Put(e) // want `the pool is picked by field level`
}
