package useafterput

import (
	"fmt"
	"sync"
)

type counters struct{ in, out int }

// The pool is a variable of the constructor, reached through its closures.
type tracker struct {
	get func() *counters
	put func(*counters)
}

func newTracker() *tracker {
	pool := &sync.Pool{New: func() any { return new(counters) }}
	return &tracker{
		get: func() *counters { return pool.Get().(*counters) },
		put: func(c *counters) { *c = counters{}; pool.Put(c) },
	}
}

func (t *tracker) total(fn func(*counters)) int {
	c := t.get()
	fn(c)
	t.put(c)
	return c.in + c.out // want `c is read after it was put in pool`
}

func (t *tracker) totalFirst(fn func(*counters)) int {
	c := t.get()
	fn(c)
	n := c.in + c.out
	t.put(c)
	return n
}

type line struct{ b []byte }

var lines = sync.Pool{New: func() any { return new(line) }}

func logged(debugf func(string, ...any), s string) {
	l := lines.Get().(*line)
	l.b = append(l.b[:0], s...)
	lines.Put(l)
	debugf("wrote %q", l.b) // want `l is passed to a function after it was put in lines`
}

func printed(bp *sync.Pool, s string) {
	b := bp.Get().([]byte)
	b = append(b[:0], s...)
	head := b[:1]
	bp.Put(b)
	fmt.Println("wrote", len(b), head) // want `b is passed to Println after it was put`
}

func printedFirst(bp *sync.Pool, s string) {
	b := bp.Get().([]byte)
	b = append(b[:0], s...)
	fmt.Println("wrote", len(b), b[:1])
	bp.Put(b)
}
