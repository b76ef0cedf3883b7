package signalled

import (
	"container/list"
	"sync"
)

// Who grants takes the waiter out of the list before.

type waiter struct{ ready chan struct{} }

var waiters = sync.Pool{New: func() any { return &waiter{ready: make(chan struct{}, 1)} }}

type gate struct {
	mu    sync.Mutex
	queue list.List
}

func (g *gate) wait() {
	w := waiters.Get().(*waiter)
	g.mu.Lock()
	g.queue.PushBack(w)
	g.mu.Unlock()
	<-w.ready
	waiters.Put(w)
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for e := g.queue.Front(); e != nil; e = g.queue.Front() {
		w := e.Value.(*waiter)
		g.queue.Remove(e)
		w.ready <- struct{}{}
	}
}

// The same with a map.

type call struct {
	done   chan struct{}
	answer int
}

var calls = sync.Pool{New: func() any { return &call{done: make(chan struct{}, 1)} }}

type client struct {
	mu      sync.Mutex
	last    int
	pending map[int]*call
}

func (c *client) ask() int {
	x := calls.Get().(*call)
	x.answer = 0
	c.mu.Lock()
	c.last++
	c.pending[c.last] = x
	c.mu.Unlock()
	<-x.done
	n := x.answer
	calls.Put(x)
	return n
}

func (c *client) answered(id, n int) {
	c.mu.Lock()
	x := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if x != nil {
		x.answer = n
		x.done <- struct{}{}
	}
}

// Wrong: who answers leaves it in the map.

type query struct {
	done   chan struct{}
	answer int
}

var queries = sync.Pool{New: func() any { return &query{done: make(chan struct{}, 1)} }}

type server struct {
	mu      sync.Mutex
	last    int
	pending map[int]*query
}

func (s *server) ask() int {
	q := queries.Get().(*query)
	q.answer = 0
	s.mu.Lock()
	s.last++
	s.pending[s.last] = q // want `an element of a slice or map keeps memory of q after the value was put`
	s.mu.Unlock()
	<-q.done
	n := q.answer
	queries.Put(q)
	return n
}

func (s *server) answered(id, n int) {
	s.mu.Lock()
	q := s.pending[id]
	s.mu.Unlock()
	if q != nil {
		q.answer = n
		q.done <- struct{}{}
	}
}

// Wrong: the channel is no part of it.

type ticket struct{ n int }

var tickets = sync.Pool{New: func() any { return new(ticket) }}

type desk struct {
	mu    sync.Mutex
	next  chan struct{}
	queue list.List
}

func (d *desk) stand(n int) {
	t := tickets.Get().(*ticket)
	t.n = n
	d.mu.Lock()
	d.queue.PushBack(t) // want `an element of a slice or map keeps memory of t after the value was put`
	d.mu.Unlock()
	<-d.next
	tickets.Put(t)
}

func (d *desk) call() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.queue.Front()
	if e == nil {
		return 0
	}
	t := e.Value.(*ticket)
	return t.n
}

func (d *desk) serve() {
	d.next <- struct{}{}
}
