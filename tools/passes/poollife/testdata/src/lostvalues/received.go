package lostvalues

import (
	"io"
	"sync"
)

// A receiver that puts what it received on one path only.

type event struct {
	b    []byte
	last bool
	done chan struct{}
}

var events = sync.Pool{New: func() any { return new(event) }}

func newEvent(b []byte) *event {
	e := events.Get().(*event)
	e.b = append(e.b[:0], b...)
	return e
}

type lossy struct{ in chan *event }

func (q *lossy) feed(b []byte) { q.in <- newEvent(b) }

func (q *lossy) loop(w io.Writer) {
	for e := range q.in { // want `e, received from in at line 29, was taken from events and is put on other paths`
		if len(e.b) == 0 {
			continue
		}
		w.Write(e.b)
		events.Put(e)
	}
}

type careful struct {
	in   chan *event
	kept []*event
	h    interface{ Handle(*event) }
}

func (q *careful) feed(b []byte) { q.in <- newEvent(b) }

func (q *careful) keep(e *event) { q.kept = append(q.kept, e) }

func (q *careful) loop(w io.Writer) error {
	for {
		e, ok := <-q.in
		if !ok {
			return nil
		}
		if e.last {
			q.keep(e)
			continue
		}
		if len(e.b) > 100 {
			q.h.Handle(e)
			continue
		}
		_, err := w.Write(e.b)
		events.Put(e)
		if err != nil {
			return err
		}
	}
}

// The sender waits, and puts it.
type calls struct{ in chan *event }

func (q *calls) do(b []byte) {
	e := newEvent(b)
	q.in <- e
	<-e.done
	events.Put(e)
}

func (q *calls) cast(b []byte) {
	e := newEvent(b)
	e.last = true
	q.in <- e
}

func (q *calls) loop(w io.Writer) {
	for e := range q.in {
		w.Write(e.b)
		if e.last {
			events.Put(e)
			continue
		}
		e.done <- struct{}{}
	}
}

// What others send they may keep.
type open struct{ in chan *event }

func (q *open) Send(e *event) { q.in <- e }

func (q *open) feed(b []byte) { q.in <- newEvent(b) }

func (q *open) loop(w io.Writer) {
	for e := range q.in {
		if e.last {
			continue
		}
		w.Write(e.b)
		events.Put(e)
	}
}
