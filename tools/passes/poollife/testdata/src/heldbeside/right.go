package heldbeside

import (
	"net"
	"sync"
	"time"
)

// The connection's goroutine alone puts: the one that closes only closes.

type closing struct {
	mu    sync.Mutex
	conns map[net.Conn]*int64
}

func (s *closing) track(c net.Conn) *int64 {
	t := stamps.Get().(*int64)
	*t = time.Now().UnixNano()
	s.mu.Lock()
	s.conns[c] = t
	s.mu.Unlock()
	return t
}

func (s *closing) untrack(c net.Conn, t *int64) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	stamps.Put(t)
}

func (s *closing) serve(c net.Conn) {
	t := s.track(c)
	defer s.untrack(c, t)
	buf := make([]byte, 1024)
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
		*t = time.Now().UnixNano()
	}
}

func (s *closing) closeIdle() {
	s.mu.Lock()
	now := time.Now().UnixNano()
	for c, t := range s.conns {
		if now-*t > 1e9 {
			c.Close()
		}
	}
	s.mu.Unlock()
}

// The stamp is looked up under the lock each time.

type looking struct {
	mu    sync.Mutex
	conns map[net.Conn]*int64
}

func (s *looking) track(c net.Conn) {
	t := stamps.Get().(*int64)
	*t = time.Now().UnixNano()
	s.mu.Lock()
	s.conns[c] = t
	s.mu.Unlock()
}

func (s *looking) touch(c net.Conn) {
	s.mu.Lock()
	if t, ok := s.conns[c]; ok {
		*t = time.Now().UnixNano()
	}
	s.mu.Unlock()
}

func (s *looking) serve(c net.Conn) {
	s.track(c)
	buf := make([]byte, 1024)
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
		s.touch(c)
	}
}

func (s *looking) closeIdle() {
	s.mu.Lock()
	now := time.Now().UnixNano()
	for c, t := range s.conns {
		if now-*t > 1e9 {
			c.Close()
			delete(s.conns, c)
			stamps.Put(t)
		}
	}
	s.mu.Unlock()
}

// The stamp is the pool's only where nobody uses it: references are counted.

type countedStamp struct {
	refs int
	at   int64
}

var countedStamps = sync.Pool{New: func() any { return new(countedStamp) }}

type counting struct {
	mu    sync.Mutex
	conns map[net.Conn]*countedStamp
}

func (s *counting) track(c net.Conn) *countedStamp {
	t := countedStamps.Get().(*countedStamp)
	t.at, t.refs = time.Now().UnixNano(), 2
	s.mu.Lock()
	s.conns[c] = t
	s.mu.Unlock()
	return t
}

func (s *counting) drop(t *countedStamp) {
	if t.refs--; t.refs == 0 {
		countedStamps.Put(t)
	}
}

func (s *counting) serve(c net.Conn) {
	t := s.track(c)
	buf := make([]byte, 1024)
	for {
		if _, err := c.Read(buf); err != nil {
			break
		}
		t.at = time.Now().UnixNano()
	}
	s.mu.Lock()
	s.drop(t)
	s.mu.Unlock()
}

func (s *counting) closeIdle() {
	s.mu.Lock()
	now := time.Now().UnixNano()
	for c, t := range s.conns {
		if now-t.at > 1e9 {
			c.Close()
			delete(s.conns, c)
			s.drop(t)
		}
	}
	s.mu.Unlock()
}

// What is busy is not evicted.

type job struct {
	last time.Time
	busy bool
}

var jobs = sync.Pool{New: func() any { return new(job) }}

type board struct {
	mu   sync.Mutex
	jobs map[string]*job
}

func (b *board) open(name string) *job {
	j := jobs.Get().(*job)
	j.last, j.busy = time.Now(), true
	b.mu.Lock()
	b.jobs[name] = j
	b.mu.Unlock()
	return j
}

func (b *board) run(name string, steps chan func()) {
	j := b.open(name)
	for step := range steps {
		step()
		j.last = time.Now()
	}
	b.mu.Lock()
	j.busy = false
	b.mu.Unlock()
}

func (b *board) expire(before time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, j := range b.jobs {
		if j.last.Before(before) && !j.busy {
			delete(b.jobs, name)
			jobs.Put(j)
		}
	}
}

// Who leaves asks whether it is in the map still; and used it only before it could be evicted.

type ring struct {
	mu   sync.Mutex
	live map[string]*entry
}

func (t *ring) enter(name string) *entry {
	e := entries.Get().(*entry)
	t.mu.Lock()
	t.live[name] = e
	t.mu.Unlock()
	e.last = time.Now()
	return e
}

func (t *ring) leave(name string, e *entry) {
	t.mu.Lock()
	_, ok := t.live[name]
	delete(t.live, name)
	t.mu.Unlock()
	if ok {
		entries.Put(e)
	}
}

func (t *ring) work(name string, do func()) {
	e := t.enter(name)
	defer t.leave(name, e)
	do()
}

func (t *ring) expire(before time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, e := range t.live {
		if e.last.Before(before) {
			delete(t.live, name)
			entries.Put(e)
		}
	}
}

// The one that closes waits until the goroutine of the connection has ended.

type waiting struct {
	mu    sync.Mutex
	conns map[net.Conn]*int64
	ended map[net.Conn]chan bool
}

func (s *waiting) serve(c net.Conn, ended chan bool) {
	t := stamps.Get().(*int64)
	*t = time.Now().UnixNano()
	s.mu.Lock()
	s.conns[c] = t
	s.ended[c] = ended
	s.mu.Unlock()
	buf := make([]byte, 1024)
	for {
		if _, err := c.Read(buf); err != nil {
			break
		}
		*t = time.Now().UnixNano()
	}
	close(ended)
}

func (s *waiting) closeIdle() {
	s.mu.Lock()
	now := time.Now().UnixNano()
	for c, t := range s.conns {
		if now-*t > 1e9 {
			c.Close()
			<-s.ended[c]
			delete(s.conns, c)
			stamps.Put(t)
		}
	}
	s.mu.Unlock()
}

// The loop ends before the stamp is in the map.

func (s *waiting) greet(c net.Conn) {
	t := stamps.Get().(*int64)
	buf := make([]byte, 1)
	for buf[0] != '\n' {
		if _, err := c.Read(buf); err != nil {
			break
		}
		*t = time.Now().UnixNano()
	}
	s.mu.Lock()
	s.conns[c] = t
	s.mu.Unlock()
}
