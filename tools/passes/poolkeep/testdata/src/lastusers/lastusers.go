// SPDX-License-Identifier: BSD-3-Clause

package lastusers

import (
	"context"
	"io"
	"sync"
)

// What one caller passed in is used for the next.

type options struct {
	flags int
	ctx   context.Context
}

type run struct {
	buf []byte
	opt *options
}

var runs = sync.Pool{New: func() any { return &run{opt: new(options)} }}

func (r *run) encode(v func(context.Context) error) error {
	r.buf = r.buf[:0]
	ctx := r.opt.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	return v(ctx) // want `field ctx of r, taken from runs at line 42, is used as the last user left it`
}

func MarshalContext(ctx context.Context, v func(context.Context) error) error {
	r := runs.Get().(*run)
	defer runs.Put(r)
	r.opt.ctx = ctx
	return r.encode(v)
}

func Marshal(v func(context.Context) error) error {
	r := runs.Get().(*run)
	defer runs.Put(r)
	r.opt.flags = 0
	return r.encode(v)
}

type printer struct {
	n  int
	to io.Writer
}

var printers = sync.Pool{New: func() any { return new(printer) }}

func Print(w io.Writer, s string) {
	p := printers.Get().(*printer)
	p.to = w
	io.WriteString(p.to, s)
	printers.Put(p)
}

func PrintAgain(s string) {
	p := printers.Get().(*printer)
	io.WriteString(p.to, s) // want `field to of p, taken from printers at line 63, is used as the last user left it`
	printers.Put(p)
}

// Every taker sets it.

type sender struct {
	n  int
	to io.Writer
}

var senders = sync.Pool{New: func() any { return new(sender) }}

func (s *sender) send(text string) { s.n++; io.WriteString(s.to, text) }

func Send(w io.Writer, text string) {
	s := senders.Get().(*sender)
	s.to = w
	s.send(text)
	s.to, s.n = nil, 0
	senders.Put(s)
}

func SendAll(w io.Writer, list []string) {
	s := senders.Get().(*sender)
	s.to = w
	for _, text := range list {
		s.send(text)
	}
	s.to, s.n = nil, 0
	senders.Put(s)
}

// Cleared before it is put.

type job struct {
	n   int
	ctx context.Context
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func (j *job) put() { *j = job{}; jobs.Put(j) }

func (j *job) do(f func(context.Context)) { f(j.ctx) }

func DoContext(ctx context.Context, f func(context.Context)) {
	j := jobs.Get().(*job)
	j.ctx = ctx
	j.do(f)
	j.put()
}

func Do(f func(context.Context)) {
	j := jobs.Get().(*job)
	j.do(f)
	j.put()
}

// Set once, where there is none.

type worker struct {
	n   int
	log func(string)
}

var workers = sync.Pool{New: func() any { return new(worker) }}

func Work(log func(string)) {
	w := workers.Get().(*worker)
	if w.log == nil {
		w.log = log
	}
	w.log("work")
	workers.Put(w)
}
