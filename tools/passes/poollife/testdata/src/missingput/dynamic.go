package missingput

import "sync"

// A worker's own method starts the goroutine that puts it back; it is called
// through an interface with two implementations.
type worker interface {
	run()
	do(func())
}

type loop struct {
	pool *sync.Pool
	ch   chan func()
}

func (w *loop) run() {
	go func() {
		defer w.pool.Put(w)
		for f := range w.ch {
			f()
		}
	}()
}

func (w *loop) do(f func()) { w.ch <- f }

type direct struct{}

func (direct) run()        {}
func (direct) do(f func()) { f() }

func submit(cache *sync.Pool, f func()) {
	w := cache.Get().(worker)
	w.run()
	w.do(f)
}

// A struct that is in the pool by value: what it held is kept.
type boxed struct{ buf []byte }

type conn struct {
	pool interface {
		Get() any
		Put(any)
	}
	bufs sync.Pool
	buf  []byte
}

func (c *conn) begin() {
	b, ok := c.bufs.Get().(boxed)
	if ok {
		c.buf = b.buf
	} else {
		c.buf = make([]byte, 512)
	}
}

func (c *conn) end() {
	c.bufs.Put(boxed{c.buf})
	c.buf = nil
}
