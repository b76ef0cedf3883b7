// Package decorated has values that goroutines get by way of wrappers: of an interface, a context, a list of steps.
package decorated

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"
)

var blocks = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

type entry struct{ data []byte }

// A store has one implementation in view, which is one around another.
type store interface {
	save(ctx context.Context, e entry) error
}

type timed struct{ inner store }

func within(d time.Duration, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-time.After(d):
		return errors.New("late")
	}
}

func (t *timed) save(ctx context.Context, e entry) error {
	return within(time.Second, func() error { return t.inner.save(ctx, e) })
}

func keep(s store, text string) error {
	b := blocks.Get().(*[]byte)
	e := entry{data: append((*b)[:0], text...)}
	*b = e.data
	defer blocks.Put(b) // want `b is put in blocks while the goroutine started at line 25 may still use it`
	return s.save(context.Background(), e)
}

// One that is patient has ended when it returns.
type patient interface {
	load(e entry) error
}

type waiting struct{ inner patient }

func (w *waiting) load(e entry) error {
	done := make(chan error, 1)
	go func() { done <- w.inner.load(e) }()
	return <-done
}

func fetch(p patient, text string) error {
	b := blocks.Get().(*[]byte)
	*b = append((*b)[:0], text...)
	defer blocks.Put(b)
	return p.load(entry{data: *b})
}

type call struct{ name, stage string }

var calls = sync.Pool{New: func() any { return new(call) }}

type key struct{}

func limited(ctx context.Context, next func(context.Context)) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	done := make(chan bool, 1)
	go func() { next(ctx); done <- true }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

func serve(name string) {
	c := calls.Get().(*call)
	c.name, c.stage = name, ""
	limited(context.WithValue(context.Background(), key{}, c), func(ctx context.Context) {
		ctx.Value(key{}).(*call).stage = "done"
	})
	calls.Put(c) // want `c is put in calls while the goroutine started at line 76 may still use it`
}

// What the goroutine has is a copy.
func serveCopy(name string) {
	c := calls.Get().(*call)
	c.name, c.stage = name, ""
	own := *c
	limited(context.WithValue(context.Background(), key{}, &own), func(ctx context.Context) {
		ctx.Value(key{}).(*call).stage = "done"
	})
	calls.Put(c)
}

type request struct {
	buf *bytes.Buffer
	out []byte
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func take(r *request) error { r.buf = buffers.Get().(*bytes.Buffer); r.buf.Reset(); return nil }

func fill(r *request) error { _, err := r.buf.WriteString("x"); return err }

func view(r *request) error { r.out = r.buf.Bytes(); return nil } // want `field out keeps memory of r after the value was put in buffers`

func clone(r *request) error { r.out = bytes.Clone(r.buf.Bytes()); return nil }

func give(r *request) error { buffers.Put(r.buf); r.buf = nil; return nil }

func run(r *request) error {
	for _, step := range []func(*request) error{take, fill, view, give} {
		if err := step(r); err != nil {
			return err
		}
	}
	return nil
}

func runCopy(r *request) error {
	for _, step := range []func(*request) error{take, fill, clone, give} {
		if err := step(r); err != nil {
			return err
		}
	}
	return nil
}
