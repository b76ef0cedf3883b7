// Package undrained has workers that end before their queue is empty.
package undrained

import (
	"context"
	"sync"
)

type item struct{ b []byte }

var items = sync.Pool{New: func() any { return new(item) }}

func take(b []byte) *item {
	i := items.Get().(*item)
	i.b = append(i.b[:0], b...)
	return i
}

func (i *item) done() { items.Put(i) }

// The worker ends with its context; the rest stays in the channel.
type sink struct {
	queue chan *item
	use   func([]byte)
}

func newSink(use func([]byte)) *sink { return &sink{queue: make(chan *item, 64), use: use} }

func (s *sink) add(b []byte) {
	i := take(b)
	select {
	case s.queue <- i:
	default:
		i.done()
	}
}

func (s *sink) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return // want `leaves what still stands in queue`
		case i := <-s.queue:
			s.use(i.b)
			i.done()
		}
	}
}

// The same with a channel of its own, which Close closes, and values in a struct.
type entry struct {
	i  *item
	at int
}

type log struct {
	entries chan entry
	stop    chan struct{}
	wg      sync.WaitGroup
}

func newLog() *log {
	l := &log{entries: make(chan entry, 8), stop: make(chan struct{})}
	l.wg.Add(1)
	go l.loop()
	return l
}

func (l *log) add(at int, b []byte) { l.entries <- entry{take(b), at} }

func (l *log) loop() {
	defer l.wg.Done()
	n := 0
	for {
		select {
		case e := <-l.entries:
			n += len(e.i.b)
			e.i.done()
		case <-l.stop:
			return // want `leaves what still stands in entries`
		}
	}
}

func (l *log) Close() {
	close(l.stop)
	l.wg.Wait()
}

// Who ends takes out the rest.
type drained struct {
	queue chan *item
	stop  chan struct{}
}

func newDrained() *drained { return &drained{make(chan *item, 8), make(chan struct{})} }

func (d *drained) add(b []byte) { d.queue <- take(b) }

func (d *drained) run(use func([]byte)) {
	defer d.rest()
	for {
		select {
		case i := <-d.queue:
			use(i.b)
			i.done()
		case <-d.stop:
			return
		}
	}
}

func (d *drained) rest() {
	for {
		select {
		case i := <-d.queue:
			i.done()
		default:
			return
		}
	}
}

func (d *drained) Close() { close(d.stop) }

// Nothing can stand in a channel without room.
type direct struct {
	queue chan *item
	stop  chan struct{}
}

func newDirect() *direct { return &direct{make(chan *item), make(chan struct{})} }

func (d *direct) add(b []byte) { d.queue <- take(b) }

func (d *direct) run(use func([]byte)) {
	for {
		select {
		case i := <-d.queue:
			use(i.b)
			i.done()
		case <-d.stop:
			return
		}
	}
}

func (d *direct) Close() { close(d.stop) }

// Nobody in view ever tells this one to end.
type endless struct {
	queue chan *item
	stop  chan struct{}
}

func newEndless(stop chan struct{}) *endless { return &endless{make(chan *item, 8), stop} }

func (e *endless) add(b []byte) { e.queue <- take(b) }

func (e *endless) run(use func([]byte)) {
	for {
		select {
		case i := <-e.queue:
			use(i.b)
			i.done()
		case <-e.stop:
			return
		}
	}
}

// A receiver that gives up for now comes again.
type mailbox struct{ queue chan *item }

func newMailbox() *mailbox { return &mailbox{make(chan *item, 8)} }

func (m *mailbox) add(b []byte) { m.queue <- take(b) }

func (m *mailbox) Next(ctx context.Context, use func([]byte)) error {
	select {
	case i := <-m.queue:
		use(i.b)
		i.done()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
