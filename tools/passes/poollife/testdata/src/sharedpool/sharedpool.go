package sharedpool // What is left over: slots that are told by a number, values of which there are no more, Puts that wait for the end of a loop, references that nobody gives up; and pools that are shared by closures.

import "sync"

// A pool in a variable that a closure shares: what New makes leads back to it.
type block struct {
	b    []byte
	home *sync.Pool
}

func (b *block) Free() { b.home.Put(b) }

type class struct {
	max  int
	pool *sync.Pool
}

func newClass(n int) class {
	p := &sync.Pool{}
	p.New = func() any { return &block{b: make([]byte, 0, n), home: p} }
	return class{n, p}
}

var classes = []class{newClass(64), newClass(4096)}

func alloc(n int) *block {
	for _, c := range classes {
		if n <= c.max {
			return c.pool.Get().(*block)
		}
	}
	return nil
}

// Nobody else has this one.
type counterPool struct{ pool *sync.Pool }

type counter struct{ n int }

func newCounters() counterPool {
	p := &sync.Pool{}
	p.New = func() any { return new(counter) }
	return counterPool{p}
}

var counters = newCounters()

func count() *counter {
	return counters.pool.Get().(*counter) // want `values are taken from pool, but nothing in the package puts any back`
}

// A slice that is too short for who took it is dropped.
var scratch [4]sync.Pool

func read(fill func([]byte) (int, error), n int) (int, error) {
	var b []byte
	if p, ok := scratch[n&3].Get().(*[]byte); ok && len(*p) >= n {
		defer scratch[n&3].Put(p)
		b = *p
	} else {
		made := make([]byte, n)
		defer scratch[n&3].Put(&made)
		b = made
	}
	return fill(b[:n])
}

func readOrFail(fill func([]byte) (int, error), n int) (int, error) {
	p, ok := scratch[n&3].Get().(*[]byte) // want `p, taken from scratch at line 69, is not put back on the path that ends here`
	if !ok {
		made := make([]byte, n)
		p = &made
	}
	if len(*p) < n {
		return 0, nil
	}
	k, err := fill((*p)[:n])
	scratch[n&3].Put(p)
	return k, err
}
