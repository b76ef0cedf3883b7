package lostpaths

import (
	"net"
	"sync"
)

// A handler had the value before, and other paths put it after the same call.

type exchange struct {
	conn  net.Conn
	taken func(net.Conn)
	vals  []string
}

func (x *exchange) empty() { x.taken, x.vals = nil, nil }

type front struct {
	pool    sync.Pool
	handler func(*exchange)
	strict  bool
}

func (f *front) take(c net.Conn) *exchange {
	x, ok := f.pool.Get().(*exchange)
	if !ok {
		x = new(exchange)
	}
	x.conn = c
	return x
}

func (f *front) give(x *exchange) {
	x.conn = nil
	x.empty()
	f.pool.Put(x)
}

func (f *front) takeOver(x *exchange, h func(net.Conn)) {
	h(x.conn)
	x.empty()
}

func (f *front) takeOverAndGive(x *exchange, h func(net.Conn)) {
	h(x.conn)
	f.give(x)
}

func (f *front) serve(c net.Conn) {
	x := f.take(c) // want `nor by the goroutine that has it then`
	f.handler(x)
	if h := x.taken; h != nil {
		y := x
		x = nil
		go f.takeOver(y, h)
	}
	if x != nil {
		f.give(x)
	}
}

func (f *front) serveClosure(c net.Conn) {
	x := f.take(c) // want `nor by the goroutine that has it then`
	f.handler(x)
	if h := x.taken; h != nil {
		go func() {
			h(c)
			x.empty()
		}()
		return
	}
	f.give(x)
}

func (f *front) serveRight(c net.Conn) {
	x := f.take(c)
	f.handler(x)
	if h := x.taken; h != nil {
		y := x
		x = nil
		go f.takeOverAndGive(y, h)
	}
	if x != nil {
		f.give(x)
	}
}

// Right: the goroutine gives it to the handler, which may keep it.
func (f *front) serveAgain(c net.Conn) {
	x := f.take(c)
	f.handler(x)
	if x.taken != nil {
		go f.handler(x)
		return
	}
	f.give(x)
}

// Right: who has the function that ends the use may put the value.
type lease struct {
	done func()
	conn net.Conn
}

var leases = sync.Pool{New: func() any { return new(lease) }}

func (f *front) hold(c net.Conn, later bool) {
	l := leases.Get().(*lease)
	l.conn = c
	if later {
		go f.wait(l.done, l.conn)
		return
	}
	leases.Put(l)
}

func (f *front) wait(done func(), c net.Conn) {
	c.Read(nil)
	done()
}

// Right: the last path decides not to put; the handler had it alone there.
func (f *front) serveKept(c net.Conn, other func(*exchange)) {
	x := f.take(c)
	if f.strict {
		other(x)
		go x.empty()
		return
	}
	f.handler(x)
	f.give(x)
}
