package dropped

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

type note struct{ text []byte }

var notes = sync.Pool{New: func() any { return new(note) }}

func putNote(n *note) { n.text = n.text[:0]; notes.Put(n) }

func within(ctx context.Context, gate chan struct{}, write func([]byte) error) error {
	n := notes.Get().(*note)
	stop := context.AfterFunc(ctx, func() { putNote(n) })
	select {
	case <-gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	stop()
	err := write(n.text)
	putNote(n) // want `the function of the AfterFunc puts n too`
	return err
}

func withinAsked(ctx context.Context, gate chan struct{}, write func([]byte) error) error {
	n := notes.Get().(*note)
	stop := context.AfterFunc(ctx, func() { putNote(n) })
	<-gate
	if !stop() {
		return ctx.Err()
	}
	err := write(n.text)
	putNote(n)
	return err
}

func timed(d time.Duration, write func([]byte) error) error {
	n := notes.Get().(*note)
	t := time.AfterFunc(d, func() { notes.Put(n) })
	err := write(n.text)
	t.Stop()
	notes.Put(n) // want `the function of the AfterFunc puts n too`
	return err
}

func timedOnce(d time.Duration, write func([]byte) error) error {
	n := notes.Get().(*note)
	var done atomic.Bool
	t := time.AfterFunc(d, func() {
		if done.CompareAndSwap(false, true) {
			notes.Put(n)
		}
	})
	err := write(n.text)
	t.Stop()
	if done.CompareAndSwap(false, true) {
		notes.Put(n)
	}
	return err
}

// The function puts another value.
func timedOther(d time.Duration, write func([]byte) error) error {
	n, m := notes.Get().(*note), notes.Get().(*note)
	t := time.AfterFunc(d, func() { notes.Put(m) })
	err := write(n.text)
	t.Stop()
	notes.Put(n)
	return err
}
