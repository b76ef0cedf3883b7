// Package unanswered sends pooled values to others, and waits for their answers or for something else.
package unanswered

import (
	"errors"
	"sync"
)

var errGone = errors.New("gone")

type op struct {
	buf  []byte
	done chan struct{}
}

var pool = sync.Pool{New: func() any { return &op{done: make(chan struct{}, 1)} }}

// Answered through a method of the op.
type asked struct{ q chan *op }

func (o *op) finish() { o.done <- struct{}{} }

func (w *asked) loop() {
	for o := range w.q {
		o.buf = o.buf[:0]
		o.finish()
	}
}

func (w *asked) answered() {
	o := pool.Get().(*op)
	w.q <- o
	<-o.done
	pool.Put(o)
}

// The queue's reader only counts down, another goroutine tells of something else.
type counted struct{ q chan *saved }

type saved struct {
	n      int
	wg     sync.WaitGroup
	stored chan struct{}
	err    error
}

var savedOps = sync.Pool{New: func() any { return new(saved) }}

func (w *counted) loop() {
	for o := range w.q {
		o.n++
		o.wg.Done()
	}
}

func (o *saved) setStored(err error) {
	o.err = err
	close(o.stored)
}

func (w *counted) stored(save func() error) error {
	o := savedOps.Get().(*saved)
	o.stored = make(chan struct{})
	o.wg.Add(1)
	w.q <- o
	go func() { o.setStored(save()) }()
	<-o.stored
	if err := o.err; err != nil {
		savedOps.Put(o) // want `o is put in savedOps while the receiver from the channel`
		return err
	}
	o.wg.Wait()
	savedOps.Put(o)
	return nil
}

func (w *counted) storedAndCounted(save func() error) error {
	o := savedOps.Get().(*saved)
	o.stored = make(chan struct{})
	o.wg.Add(1)
	w.q <- o
	go func() { o.setStored(save()) }()
	<-o.stored
	o.wg.Wait()
	err := o.err
	savedOps.Put(o)
	return err
}

// The answer or the end of the connection.
type line struct {
	q      chan req
	closed chan struct{}
}

type req struct {
	b   *block
	ans chan error
}

type block struct{ b []byte }

var blocks = sync.Pool{New: func() any { return new(block) }}

func (c *line) loop(write func([]byte) error) {
	for {
		select {
		case r := <-c.q:
			r.ans <- write(r.b.b)
		case <-c.closed:
			return
		}
	}
}

func (c *line) Close() { close(c.closed) }

func (c *line) writeOrPut(p []byte) error {
	o := blocks.Get().(*block)
	o.b = append(o.b[:0], p...)
	ans := make(chan error, 1)
	c.q <- req{o, ans}
	select {
	case err := <-ans:
		blocks.Put(o)
		return err
	case <-c.closed:
		blocks.Put(o) // want `o is put in blocks while the receiver from the channel`
		return errGone
	}
}

func (c *line) writeOrLeave(p []byte) error {
	o := blocks.Get().(*block)
	o.b = append(o.b[:0], p...)
	ans := make(chan error, 1)
	c.q <- req{o, ans}
	select {
	case err := <-ans:
		blocks.Put(o)
		return err
	case <-c.closed:
		return errGone
	}
}

// The loop tells when it has ended.
type lineTold struct {
	q     chan req
	ended chan struct{}
}

func (c *lineTold) loop(write func([]byte) error) {
	defer close(c.ended)
	for r := range c.q {
		err := write(r.b.b)
		r.ans <- err
		if err != nil {
			return
		}
	}
}

func (c *lineTold) writeToTheEnd(p []byte) error {
	o := blocks.Get().(*block)
	o.b = append(o.b[:0], p...)
	ans := make(chan error, 1)
	c.q <- req{o, ans}
	var err error
	select {
	case err = <-ans:
	case <-c.ended:
		err = errGone
	}
	blocks.Put(o)
	return err
}

// Who stops the loop waits for it.
type lineStopped struct {
	q    chan req
	quit chan struct{}
	dead chan struct{}
	wg   sync.WaitGroup
}

func (c *lineStopped) loop(write func([]byte) error) {
	defer c.wg.Done()
	for {
		select {
		case r := <-c.q:
			r.ans <- write(r.b.b)
		case <-c.quit:
			return
		}
	}
}

func (c *lineStopped) Stop() {
	close(c.quit)
	c.wg.Wait()
	close(c.dead)
}

func (c *lineStopped) writeUntilDead(p []byte) error {
	o := blocks.Get().(*block)
	o.b = append(o.b[:0], p...)
	ans := make(chan error, 1)
	c.q <- req{o, ans}
	var err error
	select {
	case err = <-ans:
	case <-c.dead:
		err = errGone
	}
	blocks.Put(o)
	return err
}

// In two steps: one hands it to the next, who answers.
type two struct {
	first, second chan *piece
}

type piece struct {
	b    []byte
	done chan struct{}
}

var pieces = sync.Pool{New: func() any { return &piece{done: make(chan struct{}, 1)} }}

func (t *two) one() {
	for o := range t.first {
		o.b = append(o.b, 1)
		t.second <- o
	}
}

func (t *two) other() {
	for o := range t.second {
		o.b = append(o.b, 2)
		o.done <- struct{}{}
	}
}

func (t *two) inTwoSteps() {
	o := pieces.Get().(*piece)
	t.first <- o
	<-o.done
	pieces.Put(o)
}

// The answer is a channel of the value's own.
type lineAsked struct {
	q      chan *op
	closed chan struct{}
}

func (c *lineAsked) loop() {
	for o := range c.q {
		o.buf = append(o.buf, 1)
		o.finish()
	}
}

func (c *lineAsked) Close() { close(c.closed) }

func (c *lineAsked) askAndPut() error {
	o := pool.Get().(*op)
	c.q <- o
	defer pool.Put(o) // want `o is put in pool while the receiver from the channel`
	select {
	case <-o.done:
		return nil
	case <-c.closed:
		return errGone
	}
}

func (c *lineAsked) askOrLeave() error {
	o := pool.Get().(*op)
	c.q <- o
	select {
	case <-o.done:
		pool.Put(o)
		return nil
	case <-c.closed:
		return errGone
	}
}
