// Package ownchan has workers that are woken by a channel of their own, and answers that nobody waits for at the end.
package ownchan

import (
	"io"
	"net"
	"sync"
)

type worker struct{ wake chan net.Conn }

type crew struct {
	mu      sync.Mutex
	stop    bool
	idle    []*worker
	serve   func(net.Conn)
	workers sync.Pool
}

func (c *crew) get() *worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle) - 1; n >= 0 {
		w := c.idle[n]
		c.idle[n] = nil
		c.idle = c.idle[:n]
		return w
	}
	w, ok := c.workers.Get().(*worker)
	if !ok {
		w = &worker{wake: make(chan net.Conn, 1)}
	}
	go func() {
		c.work(w)
		c.workers.Put(w)
	}()
	return w
}

func (c *crew) rest(w *worker) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop {
		return false
	}
	c.idle = append(c.idle, w)
	return true
}

// What is received from its channel tells the worker that it was taken off the list.
func (c *crew) work(w *worker) {
	for conn := range w.wake {
		if conn == nil {
			return
		}
		c.serve(conn)
		if !c.rest(w) {
			return
		}
	}
}

var blocks = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

type message struct {
	data []byte
	done chan struct{}
}

type conn struct {
	out    chan message
	closed chan struct{}
	to     io.Writer
}

func (c *conn) loop() {
	for {
		select {
		case m := <-c.out:
			c.to.Write(m.data)
			close(m.done)
		case <-c.closed:
			return
		}
	}
}

func (c *conn) send(data []byte, done chan struct{}) {
	select {
	case c.out <- message{data, done}:
	case <-c.closed:
		close(done)
	}
}

// The writer may be at it still when the connection is closed: what it has is the collector's then.
func (c *conn) reply(n int) {
	b := blocks.Get().(*[]byte)
	done := make(chan struct{})
	c.send((*b)[:n], done)
	select {
	case <-done:
		blocks.Put(b)
	case <-c.closed:
	}
}

// Here is nobody who could answer.
func (c *conn) skip(n int) bool {
	b := blocks.Get().(*[]byte) // want `b, taken from blocks at line 110, is not put back on the path that ends here`
	clear((*b)[:n])
	select {
	case c.out <- message{}:
		blocks.Put(b)
		return true
	case <-c.closed:
		return false
	}
}

type iter struct {
	keys []string
	key  []byte
}

var iters = sync.Pool{New: func() any { return new(iter) }}

func (it *iter) next() []byte {
	if len(it.keys) == 0 {
		return nil
	}
	it.key = append(it.key[:0], it.keys[0]...)
	it.keys = it.keys[1:]
	return it.key
}

type level struct{ it *iter }

// What is nil leads to nothing.
func (l *level) next() []byte {
	key := l.it.next()
	if key == nil {
		l.it.keys = nil
		iters.Put(l.it)
	}
	return key
}

func (l *level) last() []byte {
	key := l.it.next()
	l.it.keys = nil
	iters.Put(l.it)
	return key // want `memory of l.it is returned after it was put in iters`
}
