package alone

import (
	"context"
	"errors"
	"sync"
	"time"
)

type call struct {
	ctx  context.Context
	name string
	out  []byte
	over chan struct{}
}

func (c *call) write(s string) { c.out = append(c.out, s...) }

var calls = sync.Pool{New: func() any { return &call{over: make(chan struct{}, 1)} }}

type step func(*call) error

type mux struct{ next step }

func (m *mux) serve(ctx context.Context, w func([]byte)) {
	c := calls.Get().(*call)
	c.ctx, c.out = ctx, c.out[:0]
	if err := m.next(c); err != nil {
		c.write(err.Error())
	}
	w(c.out)
	calls.Put(c)
}

var errLate = errors.New("late")

func withDeadline(h step, d time.Duration) step {
	return func(c *call) error {
		done := make(chan error, 1)
		go func() { done <- h(c) }() // want `c is only lent to this function by serve, which puts it after the call`
		select {
		case err := <-done:
			return err
		case <-time.After(d):
			return errLate
		}
	}
}

func withTimer(h step, d time.Duration) step {
	return func(c *call) error {
		done := make(chan error, 1)
		t := time.NewTimer(d)
		defer t.Stop()
		go work(h, c, done) // want `c is only lent to this function by serve, which puts it after the call`
		select {
		case err := <-done:
			return err
		case <-t.C:
		}
		return errLate
	}
}

func work(h step, c *call, done chan<- error) { done <- h(c) }

func audited(h step) step {
	return func(c *call) error {
		err := h(c)
		go func() { c.write("audited") }() // want `c is only lent to this function by serve, which puts it after the call`
		return err
	}
}

func polled(h step) step {
	return func(c *call) error {
		done := make(chan struct{})
		go func() { // want `c is only lent to this function by serve, which puts it after the call`
			defer close(done)
			c.write("x")
		}()
		err := h(&call{})
		select {
		case <-done:
		default:
			err = errLate
		}
		return err
	}
}

// After the deadline the end of the goroutine is awaited.
func withDeadlineAwaited(h step, d time.Duration) step {
	return func(c *call) error {
		done := make(chan error, 1)
		go func() { done <- h(c) }()
		select {
		case err := <-done:
			return err
		case <-time.After(d):
			<-done
			return errLate
		}
	}
}

func withGroup(h step) step {
	return func(c *call) error {
		var g sync.WaitGroup
		defer g.Wait()
		g.Add(1)
		go func() {
			defer g.Done()
			c.write("x")
		}()
		return h(nil)
	}
}

// The goroutine has a copy of what it needs.
func logged(h step) step {
	return func(c *call) error {
		name := c.name
		go func() { println(name) }()
		return h(c)
	}
}

// The value itself has the channel.
func signalled(h step) step {
	return func(c *call) error {
		go func() {
			c.write("x")
			c.over <- struct{}{}
		}()
		err := h(nil)
		<-c.over
		return err
	}
}

// Who waits is not here.
type late struct{ done chan error }

func handedOn(h step, l *late) step {
	return func(c *call) error {
		done := make(chan error, 1)
		go func() { done <- h(c) }()
		l.done = done
		return nil
	}
}

// Values that keep a mark of who still has them.
type job struct {
	kept bool
	out  []byte
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func end(j *job) {
	if j.kept {
		return
	}
	jobs.Put(j)
}

type part func(*job)

func runJob(p part) {
	j := jobs.Get().(*job)
	j.kept = false
	p(j)
	end(j)
}

func background(p part) part {
	return func(j *job) {
		j.kept = true
		go func() { p(j) }()
	}
}

// Interfaces.
type doc struct{ raw []byte }

var docs = sync.Pool{New: func() any { return new(doc) }}

type reader interface{ read(d *doc) }

func load(r reader) int {
	d := docs.Get().(*doc)
	defer docs.Put(d) // want `d is put in docs while the goroutine started at line 202 may still use it`
	r.read(d)
	return len(d.raw)
}

type slow struct{}

func (slow) read(d *doc) {
	go func() { d.raw = append(d.raw[:0], "x"...) }()
}

type fast struct{ n int }

func (f fast) read(d *doc) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.raw = append(d.raw[:0], "x"...)
	}()
	<-done
}
