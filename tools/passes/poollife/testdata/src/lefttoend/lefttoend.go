// SPDX-License-Identifier: BSD-3-Clause

// Package lefttoend has values that are put when the object that they were left with ends.
package lefttoend

import (
	"bytes"
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const most = 1 << 16

var notes = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func newNote(text string) *bytes.Buffer {
	b := notes.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(text)
	return b
}

func endNote(b *bytes.Buffer) {
	if b.Cap() <= most {
		notes.Put(b)
	}
}

// Wrong: the call may end while the note is written.

type call struct {
	mu    sync.Mutex
	w     io.Writer
	atEnd []func()
	sent  int
}

func newCall(ctx context.Context, w io.Writer) *call {
	c := &call{w: w}
	go c.watch(ctx)
	return c
}

func (c *call) watch(ctx context.Context) {
	<-ctx.Done()
	c.end()
}

func (c *call) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.atEnd {
		f()
	}
	c.atEnd = nil
}

func (c *call) send(text string) error {
	b := newNote(text)
	c.mu.Lock()
	c.atEnd = append(c.atEnd, func() { endNote(b) })
	c.sent++
	c.mu.Unlock()
	_, err := c.w.Write(b.Bytes()) // want `b, used here, was left to be put at the end, in atEnd`
	return err
}

// Right: it is written before.
func (c *call) sendRight(text string) error {
	b := newNote(text)
	_, err := c.w.Write(b.Bytes())
	c.mu.Lock()
	c.atEnd = append(c.atEnd, func() { endNote(b) })
	c.mu.Unlock()
	return err
}

// Right: the lock is held.
func (c *call) sendLocked(text string) error {
	b := newNote(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.atEnd = append(c.atEnd, func() { endNote(b) })
	_, err := c.w.Write(b.Bytes())
	return err
}

// Wrong: the same by a method that adds to the list, and a timer.

type visit struct {
	mu   sync.Mutex
	over bool
	last map[int]func()
	n    int
}

type slip struct{ text []byte }

var slips = sync.Pool{New: func() any { return new(slip) }}

func (s *slip) free() {
	s.text = s.text[:0]
	slips.Put(s)
}

func newVisit(d time.Duration) *visit {
	v := &visit{last: map[int]func(){}}
	time.AfterFunc(d, v.leave)
	return v
}

func (v *visit) leave() {
	v.mu.Lock()
	v.over = true
	last := v.last
	v.last = nil
	v.mu.Unlock()
	for _, f := range last {
		f()
	}
}

func (v *visit) finally(f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over {
		f()
		return
	}
	v.n++
	v.last[v.n] = f
}

func (v *visit) print(w io.Writer, text string) error {
	s := slips.Get().(*slip)
	s.text = append(s.text[:0], text...)
	v.finally(s.free)
	_, err := w.Write(s.text) // want `s, used here, was left to be put at the end, in last` `is passed to Write after it was put in slips`
	return err
}

func (v *visit) printRight(w io.Writer, text string) error {
	s := slips.Get().(*slip)
	s.text = append(s.text[:0], text...)
	_, err := w.Write(s.text)
	v.finally(s.free)
	return err
}

// Wrong: the values themselves are in the list.

type tray struct {
	sync.Mutex
	used []*bytes.Buffer
}

func newTray(ctx context.Context, every time.Duration) *tray {
	t := new(tray)
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				t.clear()
			}
		}
	}()
	return t
}

func (t *tray) clear() {
	t.Lock()
	defer t.Unlock()
	for _, b := range t.used {
		endNote(b)
	}
	t.used = nil
}

func (t *tray) write(w io.Writer, text string) error {
	b := newNote(text)
	t.Lock()
	t.used = append(t.used, b)
	t.Unlock()
	_, err := b.WriteTo(w) // want `b, used here, was left to be put at the end, in used`
	return err
}

func (t *tray) writeRight(w io.Writer, text string) error {
	b := newNote(text)
	_, err := b.WriteTo(w)
	t.Lock()
	t.used = append(t.used, b)
	t.Unlock()
	return err
}

// Right: the goroutine ends things when the work that it does is done.

type job struct {
	mu    sync.Mutex
	atEnd []func()
}

func (j *job) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, f := range j.atEnd {
		f()
	}
	j.atEnd = nil
}

func startJob(work func(*job)) {
	j := new(job)
	go func() {
		defer j.end()
		work(j)
	}()
}

func (j *job) send(w io.Writer, text string) error {
	b := newNote(text)
	j.mu.Lock()
	j.atEnd = append(j.atEnd, func() { endNote(b) })
	j.mu.Unlock()
	_, err := w.Write(b.Bytes())
	return err
}

// Right: the goroutine waits for who says that all is sent.

type told struct {
	mu    sync.Mutex
	atEnd []func()
	done  chan struct{}
}

func newTold() *told {
	t := &told{done: make(chan struct{})}
	go func() {
		<-t.done
		t.end()
	}()
	return t
}

func (t *told) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.atEnd {
		f()
	}
	t.atEnd = nil
}

func (t *told) send(w io.Writer, text string) error {
	b := newNote(text)
	t.mu.Lock()
	t.atEnd = append(t.atEnd, func() { endNote(b) })
	t.mu.Unlock()
	_, err := w.Write(b.Bytes())
	return err
}

// Right: only its owner ends the context, who has sent all by then.

type owned struct {
	mu     sync.Mutex
	atEnd  []func()
	cancel func()
}

func newOwned() *owned {
	ctx, cancel := context.WithCancel(context.Background())
	o := &owned{cancel: cancel}
	go func() {
		<-ctx.Done()
		o.end()
	}()
	return o
}

func (o *owned) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.atEnd {
		f()
	}
	o.atEnd = nil
}

func (o *owned) send(w io.Writer, text string) error {
	b := newNote(text)
	o.mu.Lock()
	o.atEnd = append(o.atEnd, func() { endNote(b) })
	o.mu.Unlock()
	_, err := w.Write(b.Bytes())
	return err
}

// Right: who sends has a reference of his own.

type sheet struct {
	refs atomic.Int32
	text []byte
}

var sheets = sync.Pool{New: func() any { return new(sheet) }}

func (s *sheet) drop() {
	if s.refs.Add(-1) == 0 {
		s.text = s.text[:0]
		sheets.Put(s)
	}
}

type stack struct {
	mu    sync.Mutex
	atEnd []func()
}

func newStack(ctx context.Context) *stack {
	s := new(stack)
	context.AfterFunc(ctx, s.end)
	return s
}

func (s *stack) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.atEnd {
		f()
	}
	s.atEnd = nil
}

func (s *stack) send(w io.Writer, text string) error {
	x := sheets.Get().(*sheet)
	x.refs.Store(2)
	x.text = append(x.text[:0], text...)
	s.mu.Lock()
	s.atEnd = append(s.atEnd, x.drop)
	s.mu.Unlock()
	_, err := w.Write(x.text)
	x.drop()
	return err
}

// Right: the end waits as long as somebody sends.

type polite struct {
	mu      sync.Mutex
	idle    *sync.Cond
	sending int
	atEnd   []func()
}

func newPolite(ctx context.Context) *polite {
	p := new(polite)
	p.idle = sync.NewCond(&p.mu)
	context.AfterFunc(ctx, p.end)
	return p
}

func (p *polite) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.sending > 0 {
		p.idle.Wait()
	}
	for _, f := range p.atEnd {
		f()
	}
	p.atEnd = nil
}

func (p *polite) send(w io.Writer, text string) error {
	b := newNote(text)
	p.mu.Lock()
	p.atEnd = append(p.atEnd, func() { endNote(b) })
	p.sending++
	p.mu.Unlock()
	_, err := w.Write(b.Bytes())
	p.mu.Lock()
	if p.sending--; p.sending == 0 {
		p.idle.Broadcast()
	}
	p.mu.Unlock()
	return err
}
