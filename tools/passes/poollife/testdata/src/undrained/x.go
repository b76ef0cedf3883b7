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

// What is received is passed to a method that puts the item in it.
type reading struct {
	from string
	i    *item
}

type meter struct {
	readings chan reading
	off      chan struct{}
	sum      int
}

func newMeter() *meter { return &meter{readings: make(chan reading, 32), off: make(chan struct{})} }

func (m *meter) add(from string, b []byte) {
	m.readings <- reading{from, take(b)}
}

func (m *meter) run() int {
	for {
		select {
		case <-m.off:
			return m.sum // want `leaves what still stands in readings`
		case r := <-m.readings:
			m.count(r)
		}
	}
}

func (m *meter) count(r reading) {
	m.sum += len(r.i.b)
	if len(r.i.b) > 0 {
		finish(r.i)
	} else {
		r.i.done()
	}
}

func finish(i *item) { i.done() }

func (m *meter) Close() { close(m.off) }

// And by way of a pointer, two calls deep.
type parcel struct {
	i    *item
	tags []string
}

type office struct {
	parcels chan *parcel
	shut    chan struct{}
}

func newOffice() *office {
	return &office{parcels: make(chan *parcel, 4), shut: make(chan struct{})}
}

func (o *office) accept(b []byte) { o.parcels <- &parcel{i: take(b)} }

func (o *office) run(use func([]byte)) {
	for {
		select {
		case p := <-o.parcels:
			o.hand(p, use)
		case <-o.shut:
			return // want `leaves what still stands in parcels`
		}
	}
}

func (o *office) hand(p *parcel, use func([]byte)) {
	use(p.i.b)
	o.clean(p)
}

func (o *office) clean(p *parcel) {
	p.i.done()
	p.tags = nil
}

func (o *office) Close() { close(o.shut) }

// Here who ends takes out the rest, by the same method.
type counted struct {
	readings chan reading
	off      chan struct{}
	sum      int
}

func newCounted() *counted {
	return &counted{readings: make(chan reading, 32), off: make(chan struct{})}
}

func (c *counted) add(from string, b []byte) { c.readings <- reading{from, take(b)} }

func (c *counted) run() int {
	for {
		select {
		case <-c.off:
			for {
				select {
				case r := <-c.readings:
					c.count(r)
				default:
					return c.sum
				}
			}
		case r := <-c.readings:
			c.count(r)
		}
	}
}

func (c *counted) count(r reading) {
	c.sum += len(r.i.b)
	r.i.done()
}

func (c *counted) Close() { close(c.off) }

// The method puts an item of the worker's own, not the one that was received, which its
// sender keeps and puts when it has been told.
type asked struct {
	i     *item
	ready chan struct{}
}

type clerk struct {
	asks    chan asked
	off     chan struct{}
	scratch *item
}

func newClerk() *clerk {
	return &clerk{asks: make(chan asked, 2), off: make(chan struct{}), scratch: take(nil)}
}

func (c *clerk) ask(b []byte) []byte {
	i := take(b)
	a := asked{i, make(chan struct{})}
	c.asks <- a
	<-a.ready
	out := append([]byte(nil), i.b...)
	i.done()
	return out
}

func (c *clerk) run() {
	for {
		select {
		case a := <-c.asks:
			c.answer(a)
		case <-c.off:
			return
		}
	}
}

func (c *clerk) answer(a asked) {
	c.scratch.b = append(c.scratch.b[:0], a.i.b...)
	c.scratch.done()
	c.scratch = take(nil)
	close(a.ready)
}

func (c *clerk) Close() { close(c.off) }
