// SPDX-License-Identifier: BSD-3-Clause

package forgotten

import (
	"io"
	"net/http"
	"sync"
)

// A reset that leaves out the one field which nothing asks for: it is only handed on.

type reply struct {
	to     http.ResponseWriter
	status int
	size   int
	policy http.SameSite
}

func (r *reply) reset() { // want `reset resets fields of the pooled reply but not policy`
	r.to, r.status, r.size = nil, 0, 0
}

// SetPolicy is for handlers.
func (r *reply) SetPolicy(p http.SameSite) { r.policy = p }

// Name is, too.
func (r *reply) Name(name, value string) {
	r.size += len(name) + len(value)
	http.SetCookie(r.to, &http.Cookie{Name: name, Value: value, SameSite: r.policy})
}

// Status is, too.
func (r *reply) Status(code int) { r.status = code }

type replies struct {
	pool   sync.Pool
	handle func(*reply)
}

func newReplies(handle func(*reply)) *replies {
	return &replies{pool: sync.Pool{New: func() any { return new(reply) }}, handle: handle}
}

func (rs *replies) serve(w http.ResponseWriter) {
	r := rs.pool.Get().(*reply)
	r.to = w
	rs.handle(r)
	w.WriteHeader(r.status)
	r.reset()
	rs.pool.Put(r)
}

// Right: it is set back with the others.

type fullReply struct {
	to     http.ResponseWriter
	status int
	policy http.SameSite
}

func (r *fullReply) reset() { r.to, r.status, r.policy = nil, 0, 0 }

// SetPolicy is for handlers.
func (r *fullReply) SetPolicy(p http.SameSite) { r.policy = p }

// SetStatus is, too.
func (r *fullReply) SetStatus(n int) { r.status = n }

// Cookie uses what was set.
func (r *fullReply) Cookie(name string) {
	http.SetCookie(r.to, &http.Cookie{Name: name, SameSite: r.policy})
}

var fullReplies = sync.Pool{New: func() any { return new(fullReply) }}

func serveFull(w http.ResponseWriter, handle func(*fullReply)) {
	r := fullReplies.Get().(*fullReply)
	r.to = w
	handle(r)
	w.WriteHeader(r.status)
	r.reset()
	fullReplies.Put(r)
}

// Right: who takes an encoder sets its indent each time.

type indented struct {
	to     io.Writer
	depth  int
	err    error
	indent string
}

// SetIndent sets what stands before a line.
func (e *indented) SetIndent(s string) { e.indent = s }

// Line writes one.
func (e *indented) Line(s string) {
	for range e.depth {
		io.WriteString(e.to, e.indent)
	}
	_, e.err = io.WriteString(e.to, s)
}

func (e *indented) reset(w io.Writer) { e.to, e.depth, e.err = w, 0, nil }

var indenters = sync.Pool{New: func() any { return new(indented) }}

func indentedTo(w io.Writer, by string, lines func(*indented)) error {
	e := indenters.Get().(*indented)
	e.reset(w)
	e.SetIndent(by)
	lines(e)
	err := e.err
	e.reset(nil)
	indenters.Put(e)
	return err
}
