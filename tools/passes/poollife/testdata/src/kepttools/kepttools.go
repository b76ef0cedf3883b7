// SPDX-License-Identifier: BSD-3-Clause

// Package kepttools has objects that pooled structs keep for their users, timers of pooled objects,
// and requests that carry the channel of their reply.
package kepttools

import (
	"bufio"
	"io"
	"sync"
	"time"
)

type gauge struct {
	n    int
	last []byte
}

func (g *gauge) Reset() { g.n = 0 }

type kit struct {
	w      *bufio.Writer
	gauges map[string]*gauge
	shared map[string]*gauge
	spare  *gauge
}

var kits = sync.Pool{New: func() any { return &kit{gauges: map[string]*gauge{}} }}

func gaugeFor(name string) *gauge {
	k := kits.Get().(*kit)
	defer kits.Put(k)
	g := k.gauges[name]
	if g == nil {
		g = new(gauge)
		k.gauges[name] = g
	}
	g.Reset()
	return g // want `what is returned stays in field gauges of the value that is put`
}

func writerTo(w io.Writer) *bufio.Writer {
	k := kits.Get().(*kit)
	defer kits.Put(k)
	if k.w == nil {
		k.w = bufio.NewWriter(w)
	} else {
		k.w.Reset(w)
	}
	return k.w // want `what is returned stays in field w of the value that is put`
}

// What is only looked up may be shared.
func known(name string) *gauge {
	k := kits.Get().(*kit)
	defer kits.Put(k)
	return k.shared[name]
}

// What is taken out is the caller's.
func taken() *gauge {
	k := kits.Get().(*kit)
	defer kits.Put(k)
	g := k.spare
	k.spare = nil
	if g == nil {
		g = new(gauge)
	}
	g.n = 0
	return g
}

type lock struct {
	key   string
	turn  int
	timer *time.Timer
}

var locks = sync.Pool{New: func() any { return new(lock) }}

type locker struct {
	mu   sync.Mutex
	held map[string]*lock
}

func (l *locker) take(key string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := locks.Get().(*lock)
	k.key = key
	k.timer = time.AfterFunc(d, func() { l.expire(k) })
	l.held[key] = k
}

func (l *locker) expire(k *lock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[k.key] == k {
		delete(l.held, k.key)
	}
}

func (l *locker) drop(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.held[key]
	delete(l.held, key)
	k.timer.Stop()
	k.key = ""
	locks.Put(k) // want `k is put although the function of its timer may have begun`
}

func (l *locker) dropRight(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.held[key]
	delete(l.held, key)
	if k.timer.Stop() {
		k.key = ""
		locks.Put(k)
	}
}

type request struct {
	in, out []byte
	done    chan error
}

var requests = sync.Pool{New: func() any { return &request{done: make(chan error, 1)} }}

type worker struct {
	queue chan *request
	work  func(*request) error
}

func (w *worker) loop() {
	for r := range w.queue {
		r.done <- w.work(r)
		r.in, r.out = nil, r.out[:0]
		requests.Put(r) // want `the channel is put while what was sent on it`
	}
}

func (w *worker) call(in []byte) (string, error) {
	r := requests.Get().(*request)
	r.in = in
	w.queue <- r
	err := <-r.done
	return string(r.out), err
}

type tidyWorker struct {
	queue chan *tidyRequest
	work  func(*tidyRequest) error
}

type tidyRequest struct {
	in, out []byte
	done    chan error
}

var tidyRequests = sync.Pool{New: func() any { return &tidyRequest{done: make(chan error, 1)} }}

func (w *tidyWorker) loop() {
	for r := range w.queue {
		r.done <- w.work(r)
	}
}

func (w *tidyWorker) call(in []byte) (string, error) {
	r := tidyRequests.Get().(*tidyRequest)
	r.in = in
	w.queue <- r
	err := <-r.done
	out := string(r.out)
	r.in, r.out = nil, r.out[:0]
	tidyRequests.Put(r)
	return out, err
}

// Right: each use has a channel of its own, which does not go to the pool.

type freshRequest struct {
	in   []byte
	done chan error
}

var freshRequests = sync.Pool{New: func() any { return new(freshRequest) }}

type freshWorker struct {
	queue chan *freshRequest
	work  func([]byte) error
}

func (w *freshWorker) loop() {
	for r := range w.queue {
		r.done <- w.work(r.in)
		*r = freshRequest{}
		freshRequests.Put(r)
	}
}

func (w *freshWorker) call(in []byte) error {
	r := freshRequests.Get().(*freshRequest)
	r.in, r.done = in, make(chan error, 1)
	done := r.done
	w.queue <- r
	return <-done
}
