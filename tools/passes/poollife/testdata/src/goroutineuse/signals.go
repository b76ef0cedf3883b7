// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"context"
	"sync"
)

// What a goroutine leaves alone, changes, and tells.

var cards = sync.Pool{New: func() any { return new(card) }}

type card struct{ marks []int }

// A ticket has a channel that tells when it was closed.
type ticket struct {
	c    *card
	once sync.Once
	over chan struct{}
}

func (t *ticket) Close() {
	t.once.Do(func() {
		cards.Put(t.c)
		close(t.over)
	})
}

func (t *ticket) wait() { <-t.over }

func limited(slots chan struct{}, f func([]int) error) error {
	t := &ticket{c: cards.Get().(*card), over: make(chan struct{})}
	go func() {
		t.wait()
		<-slots
	}()
	defer t.Close()
	return f(t.c.marks)
}

func (t *ticket) count() int { return len(t.c.marks) }

func counted(slots chan int, f func([]int) error) error {
	t := &ticket{c: cards.Get().(*card), over: make(chan struct{})}
	go func() { slots <- t.count() }()
	defer t.Close() // want `is put in cards while the goroutine started at line \d+ may still use it`
	return f(t.c.marks)
}

type closer interface{ Close() }

// The goroutine may do anything with what it has as an interface.
func boxed(list chan closer) {
	t := &ticket{c: cards.Get().(*card), over: make(chan struct{})}
	go func() { list <- t }()
	t.Close() // want `is put in cards while the goroutine started at line \d+ may still use it`
}

// A feed is filled by a goroutine of its own, which a condition speaks for.
type feed struct {
	src   *card
	mu    sync.Mutex
	ready *sync.Cond
	out   []int
	ended bool
}

func newFeed(c *card) *feed {
	f := &feed{src: c}
	f.ready = sync.NewCond(&f.mu)
	go f.fill()
	return f
}

func (f *feed) fill() {
	for n := range 10 {
		v := f.src.marks[n]
		f.mu.Lock()
		if f.ended {
			f.mu.Unlock()
			return
		}
		f.out = append(f.out, v)
		f.ready.Signal()
		f.mu.Unlock()
	}
	f.mu.Lock()
	f.ended = true
	f.ready.Signal()
	f.mu.Unlock()
}

func (f *feed) next() (int, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.out) == 0 && !f.ended {
		f.ready.Wait()
	}
	if len(f.out) == 0 {
		return 0, false
	}
	v := f.out[0]
	f.out = f.out[1:]
	return v, true
}

func (f *feed) close() {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
}

func drain(send func(int) error) error {
	c := cards.Get().(*card)
	defer cards.Put(c) // want `c is put in cards while the goroutine started at line \d+ may still use it`
	f := newFeed(c)
	defer f.close()
	for {
		v, ok := f.next()
		if !ok {
			return nil
		}
		if err := send(v); err != nil {
			return err
		}
	}
}

// A gatherer's goroutine adds to what its owner puts in the end.
type gatherer struct {
	mu      sync.Mutex
	held    []*card
	running bool
	done    chan struct{}
}

func (g *gatherer) gather(n int) {
	for range n {
		c := cards.Get().(*card)
		g.mu.Lock()
		g.held = append(g.held, c)
		g.mu.Unlock()
		c.marks = append(c.marks, n)
	}
}

func (g *gatherer) drop() {
	for _, c := range g.held {
		cards.Put(c)
	}
}

func gatherFor(n int, ctx context.Context, f func([]*card)) {
	g := &gatherer{}
	ended := make(chan bool, 1)
	defer g.drop() // want `is put in cards while the goroutine started at line \d+ may still use it`
	go func() {
		g.gather(n)
		ended <- true
	}()
	select {
	case <-ended:
		f(g.held)
	case <-ctx.Done():
	}
}

func (g *gatherer) gatherAll(n int) {
	defer func() {
		g.mu.Lock()
		g.running = false
		g.mu.Unlock()
		close(g.done)
	}()
	g.gather(n)
}

func (g *gatherer) dropLater() {
	g.mu.Lock()
	running := g.running
	g.mu.Unlock()
	if running {
		<-g.done
	}
	g.drop()
}

func gatherAndWait(n int, ctx context.Context, f func([]*card)) {
	g := &gatherer{running: true, done: make(chan struct{})}
	defer g.dropLater()
	ended := make(chan bool, 1)
	go func() {
		g.gatherAll(n)
		ended <- true
	}()
	select {
	case <-ended:
		f(g.held)
	case <-ctx.Done():
	}
}
