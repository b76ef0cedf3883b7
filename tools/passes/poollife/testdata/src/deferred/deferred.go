package deferred // What is left over: slots that are told by a number, values of which there are no more, Puts that wait for the end of a loop, references that nobody gives up; and pools that are shared by closures.

import (
	"sync"
	"sync/atomic"
)

type chunk struct {
	refs atomic.Int32
	b    []byte
}

var pool = sync.Pool{New: func() any { return new(chunk) }}

func (p *chunk) dec() {
	if p.refs.Add(-1) == 0 {
		pool.Put(p)
	}
}

func get() *chunk {
	p := pool.Get().(*chunk)
	p.refs.Store(1)
	return p
}

func each(in chan []byte, f func(*chunk)) {
	for b := range in {
		p := pool.Get().(*chunk)
		defer pool.Put(p) // want `the Put of p is deferred until each returns, but each turn of the loop takes another value`
		p.b = append(p.b[:0], b...)
		f(p)
	}
}

func eachCounted(in chan []byte, f func(*chunk)) {
	for b := range in {
		p := get()
		defer p.dec() // want `the Put of p is deferred until eachCounted returns`
		p.b = append(p.b[:0], b...)
		f(p)
	}
}
func untilClosed(in chan []byte, f func(*chunk)) {
	for {
		b, ok := <-in
		if !ok {
			break
		}
		p := get()
		defer func() { p.dec() }() // want `the Put of p is deferred until untilClosed returns`
		p.b = append(p.b[:0], b...)
		f(p)
	}
}

// As many as the caller asked for, which it may want to have at once.
func times(n int, f func(*chunk)) {
	for range n {
		p := get()
		defer p.dec()
		f(p)
	}
}
func all(in [][]byte, f func(*chunk)) {
	for _, b := range in {
		p := get()
		defer pool.Put(p)
		p.b = append(p.b[:0], b...)
		f(p)
	}
}

// What a turn leaves behind is used until the end.
func gathered(in chan []byte, f func([]*chunk)) {
	var all []*chunk
	for b := range in {
		p := get()
		defer p.dec()
		p.b = append(p.b[:0], b...)
		all = append(all, p)
	}
	f(all)
}

// Each turn has a function of its own.
func inTurns(in chan []byte, f func(*chunk)) {
	for b := range in {
		func() {
			p := get()
			defer p.dec()
			p.b = append(p.b[:0], b...)
			f(p)
		}()
	}
}

// The loop ends with the first that fits.
func first(in chan []byte, f func(*chunk)) {
	for {
		b := <-in
		if len(b) == 0 {
			continue
		}
		p := get()
		defer p.dec()
		p.b = append(p.b[:0], b...)
		f(p)
		return
	}
}
