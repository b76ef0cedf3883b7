// Package overdue has messages that are queued for a writer and listed until their answers come.
package overdue

import (
	"io"
	"sync"
	"time"
)

type frame struct{ data []byte }

var frames = sync.Pool{New: func() any { return &frame{data: make([]byte, 0, 512)} }}

type writing struct {
	f    *frame
	more bool
}

// A link writes what is queued, from a goroutine of its own.
type link struct {
	out   io.Writer
	queue chan writing
	done  chan struct{}
}

func (l *link) loop() {
	for {
		select {
		case <-l.done:
			return
		case w := <-l.queue:
			l.out.Write(w.f.data)
		}
	}
}

type boxed struct{ f *frame }

// A boxLink is one that is given pointers.
type boxLink struct {
	out   io.Writer
	queue chan *boxed
}

func (l *boxLink) loop() {
	for b := range l.queue {
		l.out.Write(b.f.data)
	}
}

func (l *boxLink) write(f *frame) { l.queue <- &boxed{f: f} }

type waiting struct {
	f    *frame
	sent time.Time
	call func(error)
}

func (w *waiting) end(err error) {
	frames.Put(w.f) // want "field f is put here for what waited too long, while the queue queue, which it was sent to as well .line 51., may still have it"
	w.call(err)
}

type client struct {
	mu      sync.Mutex
	link    *boxLink
	waiting []*waiting
	limit   time.Duration
}

func (c *client) send(payload []byte, call func(error)) {
	f := frames.Get().(*frame)
	f.data = append(f.data[:0], payload...)
	c.list(f, call)
}

func (c *client) list(f *frame, call func(error)) {
	c.mu.Lock()
	c.waiting = append(c.waiting, &waiting{f: f, sent: time.Now(), call: call})
	c.mu.Unlock()
	c.link.write(f)
}

func (c *client) next() *waiting {
	w := c.waiting[0]
	c.waiting = c.waiting[1:]
	return w
}

func (c *client) answered(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > 0 {
		c.next().end(err)
	}
}

func (c *client) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.waiting) > 0 {
		w := c.waiting[0]
		if time.Since(w.sent) <= c.limit {
			return
		}
		c.waiting = c.waiting[1:]
		w.end(io.ErrNoProgress)
	}
}

type timed struct {
	f     *frame
	until time.Time
}

// A direct client asks its list for what is late, and puts it there and then.
type direct struct {
	mu   sync.Mutex
	link *link
	list map[int]*timed
}

func (d *direct) send(id int, payload []byte) {
	f := frames.Get().(*frame)
	f.data = append(f.data[:0], payload...)
	d.mu.Lock()
	d.list[id] = &timed{f: f, until: time.Now().Add(time.Second)}
	d.mu.Unlock()
	select {
	case d.link.queue <- writing{f: f, more: true}:
	case <-d.link.done:
	}
}

func (d *direct) sweep(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, t := range d.list {
		if !now.After(t.until) {
			continue
		}
		delete(d.list, id)
		frames.Put(t.f) // want "field f is put here for what waited too long, while the queue queue, which it was sent to as well .line 129., may still have it"
	}
}

type listed struct {
	f    *frame
	sent time.Time
}

// A patient client puts when the answer is there, and only then: the frame was written.
type patient struct {
	mu     sync.Mutex
	link   *boxLink
	listed []*listed
	late   int
	limit  time.Duration
}

func (c *patient) send(payload []byte) {
	f := frames.Get().(*frame)
	f.data = append(f.data[:0], payload...)
	c.mu.Lock()
	c.listed = append(c.listed, &listed{f: f, sent: time.Now()})
	c.mu.Unlock()
	c.link.write(f)
}

func (c *patient) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.listed) == 0 {
		return
	}
	l := c.listed[0]
	c.listed = c.listed[1:]
	frames.Put(l.f)
}

// expire leaves the frames to the collector.
func (c *patient) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.listed) > 0 && time.Since(c.listed[0].sent) > c.limit {
		c.listed = c.listed[1:]
		c.late++
	}
}

type queued struct {
	f    *frame
	sent time.Time
}

// A batch is what waits until it is old enough; only then it is written, by who takes it off.
type batch struct {
	mu   sync.Mutex
	out  io.Writer
	list []*queued
	age  time.Duration
}

func (b *batch) add(payload []byte) {
	f := frames.Get().(*frame)
	f.data = append(f.data[:0], payload...)
	b.mu.Lock()
	b.list = append(b.list, &queued{f: f, sent: time.Now()})
	b.mu.Unlock()
}

func (b *batch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.list) > 0 && time.Since(b.list[0].sent) > b.age {
		q := b.list[0]
		b.list = b.list[1:]
		b.out.Write(q.f.data)
		frames.Put(q.f)
	}
}
