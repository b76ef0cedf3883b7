// Package waited hands values to goroutines and queues, and waits for them.
package waited

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"unsafe"

	"waited/runner"
)

// A stream is kept by the units that were scheduled for it, until they are done.
type stream struct {
	buf []byte
	wg  sync.WaitGroup
	err error
}

var streams = sync.Pool{New: func() any { return new(stream) }}

func putStream(s *stream) {
	s.buf, s.err = s.buf[:0], nil
	streams.Put(s)
}

type unit struct {
	s    *stream
	data []byte
}

var units = sync.Pool{New: func() any { return new(unit) }}

func (u *unit) Do() {
	s := u.s
	println(len(u.data))
	u.s, u.data = nil, u.data[:0]
	units.Put(u)
	s.wg.Done()
}

func waits(lines [][]byte) error {
	s := streams.Get().(*stream)
	defer putStream(s)
	for _, l := range lines {
		u := units.Get().(*unit)
		u.s = s
		u.data = append(u.data[:0], l...)
		s.wg.Add(1)
		runner.Schedule(u)
	}
	s.wg.Wait()
	return s.err
}

func doesNotWait(lines [][]byte) {
	s := streams.Get().(*stream)
	defer putStream(s) // want `s is put in streams while a goroutine that Schedule`
	for _, l := range lines {
		u := units.Get().(*unit)
		u.s = s // want `field s keeps memory of s after the value was put in streams`
		u.data = append(u.data[:0], l...)
		runner.Schedule(u)
	}
}

// A record's bytes are swapped with those of the one that is sent.
type record struct{ data []byte }

var records = sync.Pool{New: func() any { return new(record) }}

type sink struct {
	ch  chan *record
	out func([]byte)
}

func (s *sink) swaps(r *record) int {
	own := records.Get().(*record)
	own.data, r.data = r.data, own.data
	n := len(own.data)
	s.ch <- own
	return n
}

func (s *sink) shares(r *record) int {
	own := records.Get().(*record)
	r.data = own.data[:0] // want `field data keeps memory of own after the value was handed to a goroutine that puts it back`
	s.ch <- own
	return len(r.data)
}

func (s *sink) drain() {
	for r := range s.ch {
		s.out(r.data)
		r.data = r.data[:0]
		records.Put(r)
	}
}

// A context that has ended has an error.
func encodes(ctx context.Context, r *record, wire chan<- []byte) error {
	done := make(chan struct{})
	go func() {
		wire <- bytes.Clone(r.data)
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func putsWhereDone(ctx context.Context, wire chan<- []byte) error {
	r := records.Get().(*record)
	r.data = append(r.data[:0], "data"...)
	err := encodes(ctx, r, wire)
	if err == nil {
		records.Put(r)
	}
	return err
}

func putsAlways(ctx context.Context, wire chan<- []byte) error {
	r := records.Get().(*record)
	r.data = append(r.data[:0], "data"...)
	err := encodes(ctx, r, wire)
	records.Put(r) // want `r is put in records while the goroutine started at line 104 may still use it`
	return err
}

// A message that could not be decoded is dropped.
type message struct{ name []byte }

func (m *message) first() byte { return m.name[0] }

var errShort = errors.New("short")

func (m *message) decode(b []byte) error {
	if len(b) < 2 {
		return errShort
	}
	m.name = b[:2]
	if len(b) < 4 {
		return errShort
	}
	return nil
}

func decodeOr(m *message, p []byte) error {
	r := records.Get().(*record)
	r.data = append(r.data[:0], p...)
	if err := m.decode(r.data); err != nil {
		records.Put(r)
		return err
	}
	m.name = bytes.Clone(m.name)
	records.Put(r)
	return nil
}

func decodeAnd(m *message, p []byte) error {
	r := records.Get().(*record)
	r.data = append(r.data[:0], p...)
	err := m.decode(r.data) // want `field name keeps memory of r after the value was put in records`
	records.Put(r)
	return err
}

// Two slices that were found to be one may be put by either name.
func escape(b []byte) []byte {
	if len(b) > 10 {
		return bytes.ToUpper(b)
	}
	return b
}

var slices = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

func compares(s string) []byte {
	p := slices.Get().(*[]byte)
	old := append((*p)[:0], s...)
	b := escape(old)
	if unsafe.SliceData(b) != unsafe.SliceData(old) {
		*p = old
		slices.Put(p)
		return b
	}
	out := bytes.Clone(b)
	*p = b
	slices.Put(p)
	return out
}

// A step that failed is put, and stays in a field that nobody reads before setting it.
type step struct{ data []byte }

var steps = sync.Pool{New: func() any { return new(step) }}

type task struct {
	first  *step // set and read by prepare's caller alone
	second *step // read by the receiver of the task
}

type executor struct{ queue chan *step }

func (x *executor) queued(s *step) bool {
	select {
	case x.queue <- s:
		return true
	default:
		return false
	}
}

func prepare(t *task, d []byte) {
	s := steps.Get().(*step)
	s.data = d
	t.first = s
}

func (x *executor) runFirst(t *task, d []byte, out chan<- *task) {
	prepare(t, d)
	s := t.first
	if !x.queued(s) {
		s.data = nil
		steps.Put(s)
	}
	out <- t
}

func (x *executor) runSecond(t *task, d []byte, out chan<- *task) {
	s := steps.Get().(*step)
	s.data = d
	t.second = s // want `field second keeps memory of s after the value was handed` `field second keeps memory of s after the value was put in steps`
	if !x.queued(s) {
		s.data = nil
		steps.Put(s)
	}
	out <- t // want `s is sent on a channel after it was put in steps` `sent on a channel after it was handed to a goroutine`
}

func (x *executor) loop() {
	for s := range x.queue {
		println(len(s.data))
		s.data = nil
		steps.Put(s)
	}
}

func finish(tasks <-chan *task) {
	for t := range tasks {
		println(len(t.second.data))
	}
}
