// SPDX-License-Identifier: BSD-3-Clause

// Package elements has work in lists of functions and in structs, and references that others were given.
package elements

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// A queue runs what it was given, one after the other: each closure has captured a buffer of its own.
type queue struct {
	mu    sync.Mutex
	jobs  []func()
	going bool
}

func (q *queue) add(job func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, job)
	if !q.going {
		q.going = true
		go q.run()
	}
}

func (q *queue) run() {
	for {
		q.mu.Lock()
		if len(q.jobs) == 0 {
			q.going = false
			q.mu.Unlock()
			return
		}
		job := q.jobs[0]
		q.jobs = q.jobs[1:]
		q.mu.Unlock()
		job()
	}
}

func (q *queue) write(w io.Writer, p []byte) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	q.add(func() {
		w.Write(b.Bytes())
		buffers.Put(b)
	})
}

// One closure that is called twice puts its buffer twice.
func twice(w io.Writer, p []byte) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	job := func() {
		w.Write(b.Bytes()) // want `b is passed to Write after it was put`
		buffers.Put(b)     // want `b is put in buffers a second time`
	}
	job()
	job()
}

// A record is put by who drops its last reference.
type record struct {
	refs atomic.Int32
	text []byte
}

var records = sync.Pool{New: func() any { return new(record) }}

func (r *record) hold() *record {
	r.refs.Add(1)
	return r
}

func (r *record) drop() {
	if r.refs.Add(-1) == -1 {
		r.text = nil
		records.Put(r)
	}
}

type sink struct {
	queue chan *record
	kept  []*record
}

// The receiver has a reference of its own, and so has the list.
func (s *sink) send(r *record) {
	select {
	case s.queue <- r.hold():
	default:
		r.drop()
	}
}

func (s *sink) keep(r *record) { s.kept = append(s.kept, r.hold()) }

func (s *sink) sendAll(r *record) {
	s.send(r)
	r.drop()
}

func (s *sink) keepAll(r *record) {
	s.keep(r)
	r.drop()
}

// The reference that was dropped is the path's own, which nobody else has.
func (r *record) peek() byte {
	r.hold()
	r.drop()
	return r.text[0] // want `r is read after it was put`
}

// A pattern is pooled as a struct with the error that came with it; what is put is another
// struct with the same matcher.
type pattern struct {
	match interface{ Match(string) bool }
	err   error
}

type filter struct {
	pooled bool
	pool   *sync.Pool
	make   func() (interface{ Match(string) bool }, error)
}

func newFilter(pooled bool, p *sync.Pool) *filter { return &filter{pooled: pooled, pool: p} }

func (f *filter) try(s string) (bool, error) {
	var one pattern
	if f.pooled {
		one = f.pool.Get().(pattern)
	} else {
		one.match, one.err = f.make()
	}
	if one.err != nil {
		if f.pooled {
			f.pool.Put(one)
		}
		return false, one.err
	}
	ok := one.match.Match(s)
	if f.pooled {
		f.pool.Put(pattern{match: one.match})
	}
	return ok, nil
}

// The buffer is kept in a struct within the reader, which has none before.
type part struct {
	data *bytes.Buffer
	flag byte
}

type parts struct {
	last part
	r    io.Reader
}

var errLast = errors.New("last part")

func (p *parts) next(v func([]byte) error) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	var keep *bytes.Buffer
	defer func() {
		if b != keep {
			buffers.Put(b)
		}
	}()
	one := &part{data: b}
	if err := p.read(one); err != nil {
		return err
	}
	if one.flag&2 != 0 {
		p.last = part{data: one.data, flag: one.flag}
		keep = one.data
		return errLast
	}
	return v(one.data.Bytes())
}

func (p *parts) read(one *part) error {
	var head [1]byte
	if _, err := io.ReadFull(p.r, head[:]); err != nil {
		return err
	}
	one.flag = head[0]
	_, err := io.CopyN(one.data, p.r, 10)
	return err
}

func (p *parts) end() string {
	s := p.last.data.String()
	buffers.Put(p.last.data)
	p.last.data = nil
	return s
}

// A blob that is swapped out of the cell is put by the last of those who counted themselves.
type blob struct{ p []byte }

var blobs = sync.Pool{New: func() any { return new(blob) }}

type cell struct {
	refs atomic.Int32
	in   atomic.Pointer[blob]
}

func (c *cell) first() byte {
	b := c.in.Load()
	if b == nil {
		return 0
	}
	return b.p[0]
}

func (c *cell) release() {
	if c.refs.Add(-1) > 0 {
		return
	}
	if b := c.in.Swap(nil); b != nil {
		blobs.Put(b)
	}
}

// Nobody counts the readers: the number is for a statistic.
type bare struct {
	alive atomic.Int64
	in    atomic.Pointer[blob]
}

func (c *bare) first() byte {
	b := c.in.Load()
	if b == nil {
		return 0
	}
	return b.p[0]
}

func (c *bare) release() {
	c.alive.Add(-1)
	if b := c.in.Swap(nil); b != nil {
		blobs.Put(b) // want `b, swapped out of in at line 253, is put while who loaded that pointer before may still read it`
	}
}
