package goroutineuse

import (
	"sync"
	"time"
)

// What was set before a goroutine was started is no sign to it.

type rows struct{ lines []string }

var rowsPool = sync.Pool{New: func() any { return new(rows) }}

type collector struct {
	mu   sync.Mutex
	rows *rows
	send func([]string) error
}

func (c *collector) add(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = rowsPool.Get().(*rows)
	}
	c.rows.lines = append(c.rows.lines, line)
}

func (c *collector) take() *rows {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.rows
	c.rows = nil
	return r
}

func giveBack(r *rows) {
	clear(r.lines)
	r.lines = r.lines[:0]
	rowsPool.Put(r)
}

func (c *collector) flush() {
	c.mu.Lock()
	r := c.rows
	c.rows = nil
	c.mu.Unlock()
	if r == nil {
		return
	}
	done := make(chan error, 1)
	go func() { done <- c.send(r.lines) }()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
	clear(r.lines)
	r.lines = r.lines[:0]
	rowsPool.Put(r) // want `is put in rowsPool while the goroutine started at line 52 may still use it`
}

// Right: the goroutine gives it back.
func (c *collector) flushByItself() {
	r := c.take()
	if r == nil {
		return
	}
	done := make(chan error, 1)
	go func() {
		err := c.send(r.lines)
		giveBack(r)
		done <- err
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

// Right: the flag is set when the goroutine runs, and it asks.
type stoppable struct {
	mu      sync.Mutex
	stopped bool
	rows    *rows
}

func (s *stoppable) work(lines <-chan string) {
	s.rows = rowsPool.Get().(*rows)
	go s.fill(lines)
	time.Sleep(time.Second)
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	giveBack(s.rows)
}

func (s *stoppable) fill(lines <-chan string) {
	for l := range lines {
		s.mu.Lock()
		if s.stopped {
			s.mu.Unlock()
			return
		}
		s.rows.lines = append(s.rows.lines, l)
		s.mu.Unlock()
	}
}
