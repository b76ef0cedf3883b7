package ownership

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// A value is one constant or another, not both.

var kinds = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type ofKind struct {
	kind string
	buf  *bytes.Buffer
}

func (k *ofKind) close() {
	if k.kind == "gzip" {
		kinds.Put(k.buf)
	}
	if k.kind == "deflate" {
		kinds.Put(k.buf)
	}
	k.buf = nil
}

func (k *ofKind) closeTwice(other string) {
	if k.kind == "gzip" {
		kinds.Put(k.buf)
	}
	if other == "deflate" {
		kinds.Put(k.buf) // want `k.buf is put in kinds a second time`
	}
	k.buf = nil
}

// A compare-and-swap refuses the second time.

type ticket struct {
	state atomic.Int32
	buf   bytes.Buffer
}

var tickets = sync.Pool{New: func() any { return new(ticket) }}

func (t *ticket) giveBack() {
	if !t.state.CompareAndSwap(1, 0) {
		panic("given back twice")
	}
	t.buf.Reset()
	tickets.Put(t)
}

func giveBackTwice() (failed bool) {
	t := tickets.Get().(*ticket)
	t.state.Store(1)
	defer func() { failed = recover() != nil }()
	t.giveBack()
	t.giveBack()
	return false
}

// A channel in a queue has been answered, or is taken out of it.

var answers = sync.Pool{New: func() any { return make(chan error, 1) }}

type waiting struct {
	mu    sync.Mutex
	queue []*waiter
}

type waiter struct {
	n int
	c chan error
}

func (w *waiting) wait(n int, done <-chan struct{}) error {
	c := answers.Get().(chan error)
	defer answers.Put(c)
	me := &waiter{n, c}
	w.mu.Lock()
	w.queue = append(w.queue, me)
	w.mu.Unlock()
	select {
	case err := <-c:
		return err
	case <-done:
		w.mu.Lock()
		defer w.mu.Unlock()
		select {
		case err := <-c:
			return err
		default:
		}
		me.c = nil
		return nil
	}
}

// Whether a pointer has a method says nothing of nil.

type resetter interface{ Reset() }

func resetAny[T any](v *T) {
	if r, ok := any(v).(resetter); ok {
		r.Reset()
	}
}

type poolOf[T any] struct{ pool sync.Pool }

func (p *poolOf[T]) redeem(v *T) {
	if v == nil {
		return
	}
	resetAny(v)
	p.pool.Put(v)
}

// A test for nil around the Put changes nothing about that somebody decided.

type rowBuffer struct{ b []byte }

var rowBuffers = sync.Pool{New: func() any { return new(rowBuffer) }}

func flushRows(send func([]byte) error, rows []byte) error {
	r := rowBuffers.Get().(*rowBuffer)
	spoiled := false
	defer func() {
		if !spoiled {
			if r != nil {
				rowBuffers.Put(r)
			}
		}
	}()
	r.b = append(r.b[:0], rows...)
	err := send(r.b)
	if err != nil {
		spoiled = true
		err = send(r.b)
	}
	return err
}
