// SPDX-License-Identifier: BSD-3-Clause

// Package parts has Puts of what is only a part of the pooled value.
package parts

import "sync"

type conn struct {
	pool *sync.Pool
	buf  []byte
}

type clientConn struct {
	conn
	host string
}

var clients = sync.Pool{New: func() any { return &clientConn{} }}

func (c *conn) finish() {
	c.buf = c.buf[:0]
	clients.Put(c) // want `c, a \*conn, is put in clients, but its New makes \*clientConn`
}

func dial(host string) *clientConn {
	c := clients.Get().(*clientConn)
	c.host = host
	return c
}

func (c *clientConn) close() {
	c.host = ""
	clients.Put(c)
}

// By pointer, and New set elsewhere.

type state struct{ n int }

type encoder struct {
	*state
	out []byte
}

type codec struct{ encoders sync.Pool }

func newCodec() *codec {
	c := &codec{}
	c.encoders.New = func() any { return &encoder{state: &state{}} }
	return c
}

func (c *codec) drop(s *state) {
	c.encoders.Put(s) // want `s, a \*state, is put in encoders, but its New makes \*encoder`
}

func (c *codec) get() *encoder { return c.encoders.Get().(*encoder) }

// Users assert an interface.

type step interface{ run() int }

type add struct{ n int }

func (a *add) run() int { return a.n }

type raw struct{ n int }

var steps sync.Pool

func takeStep() int { return steps.Get().(step).run() }

func putStep(a *add) { steps.Put(a) }

func putRaw(r *raw) {
	steps.Put(r) // want `r, a \*raw, is put in steps, whose users assert step, which it does not implement`
}

// The whole implements it, and goes in by the method of the part.

type job struct{ n int }

type task struct {
	job
	name string
}

func (t *task) run() int { return t.n }

var tasks = sync.Pool{New: func() any { return &task{} }}

func takeTask() step { return tasks.Get().(step) }

func (j *job) end() {
	tasks.Put(j) // want `j, a \*job, is put in tasks, but its New makes \*task, in which it is embedded`
}

func (t *task) end() { tasks.Put(t) }

// Not asserted for sure: nothing to say.

var loose sync.Pool

func takeLoose() int {
	if s, ok := loose.Get().(step); ok {
		return s.run()
	}
	return 0
}

func putLoose(r *raw) { loose.Put(r) }

// Both are asserted.

var both sync.Pool

func takeBoth() int {
	switch v := both.Get().(type) {
	case *conn:
		return len(v.buf)
	case *clientConn:
		return len(v.host)
	}
	return 0
}

func putBoth(c *conn, d *clientConn) {
	both.Put(c)
	both.Put(d)
}

// Through a helper.

func release(p *sync.Pool, v any) { p.Put(v) }

func (c *conn) end() {
	release(&clients, c) // want `c, a \*conn, is put in clients, but its New makes \*clientConn, in which it is embedded`
}

func (c *clientConn) end() { release(&clients, c) }
