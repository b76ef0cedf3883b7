// Package recovered has functions that go on after a panic of code that they were given.
package recovered

import (
	"log"
	"net"
	"sync"
)

type request struct {
	body []byte
	err  error
}

var requests = sync.Pool{New: func() any { return new(request) }}

type server struct {
	handle func(*request) error
	onFail func(*request)
}

func (s *server) serve(body []byte) {
	r := requests.Get().(*request)
	r.body = append(r.body[:0], body...)
	defer requests.Put(r) // want `r is put in requests a second time`
	s.one(r)
}

func (s *server) one(r *request) {
	defer func() {
		if x := recover(); x != nil {
			log.Print(x)
			r.err = nil
			requests.Put(r)
		}
	}()
	r.err = s.handle(r)
}

// Only who recovers puts it: the other way the caller does.
func (s *server) serveApart(body []byte) {
	r := requests.Get().(*request)
	r.body = append(r.body[:0], body...)
	if s.oneApart(r) {
		requests.Put(r)
	}
}

func (s *server) oneApart(r *request) (ok bool) {
	defer func() {
		if x := recover(); x != nil {
			log.Print(x)
			requests.Put(r)
		}
	}()
	r.err = s.handle(r)
	return true
}

// What a panic came through is dropped, for it may be anything.
func (s *server) serveDropped(body []byte) (err error) {
	r := requests.Get().(*request)
	r.body = append(r.body[:0], body...)
	defer func() {
		if x := recover(); x != nil {
			log.Print(x)
		}
	}()
	err = s.handle(r)
	requests.Put(r)
	return err
}

// It is put when all went well, or else where the panic ends.
func (s *server) serveEither(body []byte) (err error) {
	r := requests.Get().(*request)
	r.body = append(r.body[:0], body...)
	defer func() {
		if x := recover(); x != nil {
			requests.Put(r)
		}
	}()
	err = s.handle(r)
	requests.Put(r)
	return err
}

// And when it was put before, code that is given something else may panic.
func (s *server) serveAfter(body []byte) {
	r := requests.Get().(*request)
	r.body = append(r.body[:0], body...)
	defer func() {
		if x := recover(); x != nil {
			requests.Put(r) // want `r is put in requests a second time`
		}
	}()
	err := s.handle(r)
	requests.Put(r)
	s.onFail(&request{err: err})
}

type worker struct{ wake chan net.Conn }

type crew struct {
	mu    sync.Mutex
	stop  bool
	idle  []*worker
	serve func(net.Conn)
	pool  sync.Pool
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
	v := c.pool.Get()
	if v == nil {
		v = &worker{wake: make(chan net.Conn, 1)}
	}
	w := v.(*worker)
	go func() {
		c.work(w) // want `an element of a slice or map keeps memory of v after the value was put in pool`
		c.pool.Put(v)
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

// The worker ends after a panic, but is among the idle ones then.
func (c *crew) work(w *worker) {
	var conn net.Conn
	defer func() {
		if x := recover(); x != nil {
			log.Print(x)
		}
		if conn != nil {
			conn.Close()
			c.rest(w)
		}
	}()
	for conn = range w.wake {
		if conn == nil {
			return
		}
		c.serve(conn)
		conn.Close()
		conn = nil
		if !c.rest(w) {
			return
		}
	}
}

type sound struct{ crew }

func (c *sound) get() *worker {
	v := c.pool.Get()
	if v == nil {
		v = &worker{wake: make(chan net.Conn, 1)}
	}
	w := v.(*worker)
	go func() {
		c.work(w)
		c.pool.Put(v)
	}()
	return w
}

// This one is not.
func (c *sound) work(w *worker) {
	var conn net.Conn
	defer func() {
		if x := recover(); x != nil {
			log.Print(x)
			if conn != nil {
				conn.Close()
			}
		}
	}()
	for conn = range w.wake {
		if conn == nil {
			return
		}
		c.serve(conn)
		conn.Close()
		conn = nil
		if !c.rest(w) {
			return
		}
	}
}

// The deferred call never returns when it has recovered.
func (s *server) serveFatal(body []byte) error {
	r := requests.Get().(*request)
	r.body = append(r.body[:0], body...)
	defer func() {
		if x := recover(); x != nil {
			requests.Put(r)
			log.Fatal(x)
		}
	}()
	err := s.handle(r)
	requests.Put(r)
	return err
}

func (s *server) serveAgain(body []byte) error {
	r := requests.Get().(*request)
	r.body = append(r.body[:0], body...)
	defer func() {
		if x := recover(); x != nil {
			requests.Put(r)
			panic(x)
		}
	}()
	err := s.handle(r)
	requests.Put(r)
	return err
}
