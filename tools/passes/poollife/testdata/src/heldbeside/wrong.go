package heldbeside

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Connections that are idle are closed, and their time stamps put, while the goroutine of the connection sets its own.

var stamps = sync.Pool{New: func() any { return new(int64) }}

type server struct {
	mu    sync.Mutex
	conns map[net.Conn]*int64
}

func (s *server) track(c net.Conn) *int64 {
	t := stamps.Get().(*int64)
	*t = time.Now().UnixNano()
	s.mu.Lock()
	s.conns[c] = t
	s.mu.Unlock()
	return t
}

func (s *server) serve(c net.Conn) {
	t := s.track(c)
	buf := make([]byte, 1024)
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
		*t = time.Now().UnixNano()
	}
}

func (s *server) closeIdle() {
	s.mu.Lock()
	now := time.Now().UnixNano()
	for c, t := range s.conns {
		if now-*t > 1e9 {
			c.Close()
			delete(s.conns, c)
			stamps.Put(t) // want `what is put here was in conns, but server.serve, for which it was added there, still has it and uses it in a loop without the lock \(line \d+\)`
		}
	}
	s.mu.Unlock()
}

// An atomic stamp beside its connection, by value; the lock is given back by a deferred call.

var clocks = sync.Pool{New: func() any { return new(atomic.Int64) }}

type idleConn struct {
	conn net.Conn
	at   *atomic.Int64
}

type hub struct {
	mu   sync.Mutex
	idle map[int]idleConn
	next int
}

func (h *hub) add(c net.Conn) (int, *atomic.Int64) {
	at := clocks.Get().(*atomic.Int64)
	at.Store(time.Now().Unix())
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	h.idle[h.next] = idleConn{conn: c, at: at}
	return h.next, at
}

func (h *hub) run(c net.Conn, frames chan []byte) {
	_, at := h.add(c)
	for f := range frames {
		at.Store(time.Now().Unix())
		c.Write(f)
	}
}

func (h *hub) sweep(limit int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, i := range h.idle {
		if i.at.Load() < limit {
			delete(h.idle, id)
			i.conn.Close()
			clocks.Put(i.at) // want `what is put here was in idle, but hub.run, for which it was added there, still has it and uses it in a loop without the lock`
		}
	}
}

// Both put it.

type entry struct{ last time.Time }

var entries = sync.Pool{New: func() any { return new(entry) }}

type table struct {
	mu   sync.Mutex
	live map[string]*entry
}

func (t *table) enter(name string) *entry {
	e := entries.Get().(*entry)
	e.last = time.Now()
	t.mu.Lock()
	t.live[name] = e
	t.mu.Unlock()
	return e
}

func (t *table) leave(name string, e *entry) {
	t.mu.Lock()
	delete(t.live, name)
	t.mu.Unlock()
	entries.Put(e)
}

func (t *table) work(name string, do func()) {
	e := t.enter(name)
	defer t.leave(name, e)
	do()
}

func (t *table) expire(before time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, e := range t.live {
		if e.last.Before(before) {
			delete(t.live, name)
			entries.Put(e) // want `what is put here was in live, but table.work, for which it was added there, still has it and puts it, too, when it has done with it`
		}
	}
}
