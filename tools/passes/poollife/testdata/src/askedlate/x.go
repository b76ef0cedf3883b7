// SPDX-License-Identifier: BSD-3-Clause

// Package askedlate has requests whose answers come on a channel of their own.
package askedlate

import (
	"io"
	"sync"
)

type request struct {
	body []byte
	done chan error
}

var requests = sync.Pool{New: func() any { return new(request) }}

func putRequest(r *request) {
	*r = request{}
	requests.Put(r)
}

type worker struct {
	w     io.Writer
	tasks chan func()
}

func (w *worker) loop() {
	for f := range w.tasks {
		f()
	}
}

func (w *worker) take(r *request) {
	w.tasks <- func() {
		_, err := w.w.Write(r.body)
		r.done <- err
		putRequest(r)
	}
}

type taker interface{ take(*request) }

type server struct {
	t    taker
	stop chan struct{}
}

func newServer(w *worker) *server { return &server{t: w, stop: make(chan struct{})} }

func (s *server) serve(body []byte) error {
	r := requests.Get().(*request)
	r.body = body
	r.done = make(chan error, 1)
	s.t.take(r)
	select {
	case err := <-r.done: // want "field done is read here to wait for the answer, when r was handed on .line 55."
		return err
	case <-s.stop:
		return io.ErrClosedPipe
	}
}

// Right: the channel is read before.
func (s *server) serveWell(body []byte) error {
	r := requests.Get().(*request)
	r.body = body
	done := make(chan error, 1)
	r.done = done
	s.t.take(r)
	select {
	case err := <-done:
		return err
	case <-s.stop:
		return io.ErrClosedPipe
	}
}

// A job is done by a goroutine that is started for it, by a method.
type job struct {
	n    int
	sum  int
	over chan struct{}
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func (j *job) run() {
	for k := range j.n {
		j.sum += k
	}
	j.finish()
}

func (j *job) finish() {
	j.over <- struct{}{}
	j.n, j.sum, j.over = 0, 0, nil
	jobs.Put(j)
}

func start(j *job) { go j.run() }

func do(n int) {
	j := jobs.Get().(*job)
	j.n = n
	j.over = make(chan struct{}, 1)
	start(j)
	<-j.over // want "field over is read here to wait for the answer, when j was handed on .line 107."
}

// Right: without room the answer waits for who reads the field.
type call struct {
	n    int
	over chan int
}

var calls = sync.Pool{New: func() any { return new(call) }}

func doCall(n int) int {
	c := calls.Get().(*call)
	c.n = n
	c.over = make(chan int)
	go func() {
		c.over <- c.n * 2
		c.n, c.over = 0, nil
		calls.Put(c)
	}()
	return <-c.over
}

// Right: who asks puts, and who answers does not.
type ask struct {
	n    int
	over chan int
}

var asks = sync.Pool{New: func() any { return new(ask) }}

func doAsk(n int) int {
	a := asks.Get().(*ask)
	a.n = n
	a.over = make(chan int, 1)
	go func() { a.over <- a.n * 2 }()
	sum := <-a.over
	a.n, a.over = 0, nil
	asks.Put(a)
	return sum
}

// Right: who answers waits until the other one has the answer.
type talk struct {
	n          int
	over, seen chan int
}

var talks = sync.Pool{New: func() any { return new(talk) }}

func doTalk(n int) int {
	t := talks.Get().(*talk)
	t.n = n
	t.over, t.seen = make(chan int, 1), make(chan int)
	go func() {
		t.over <- t.n * 2
		<-t.seen
		t.n, t.over, t.seen = 0, nil, nil
		talks.Put(t)
	}()
	seen := t.seen
	sum := <-t.over
	seen <- 1
	return sum
}

// Right: the function runs in place, and the channel has the answer already.
type plain struct {
	n    int
	over chan int
}

var plains = sync.Pool{New: func() any { return new(plain) }}

func (p *plain) answer() { p.over <- p.n * 2 }

func doPlain(n int) int {
	p := plains.Get().(*plain)
	p.n = n
	p.over = make(chan int, 1)
	p.answer()
	sum := <-p.over
	p.n, p.over = 0, nil
	plains.Put(p)
	return sum
}

// The same by a literal, and by a generic object.
type reply[T any] struct {
	value T
	over  chan T
}

var replies = sync.Pool{New: func() any { return new(reply[int]) }}

func doReply(n int) int {
	r := replies.Get().(*reply[int])
	r.value = n
	r.over = make(chan int, 1)
	go func() {
		r.over <- r.value * 2
		r.value, r.over = 0, nil
		replies.Put(r)
	}()
	return <-r.over // want "field over is read here to wait for the answer, when r was handed on .line 207."
}
