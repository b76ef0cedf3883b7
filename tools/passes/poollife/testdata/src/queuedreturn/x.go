// Package queuedreturn has queues whose takers are woken, and functions that return what they queued.
package queuedreturn

import (
	"errors"
	"sync"
)

type order struct {
	table int
	dish  string
}

var orders = sync.Pool{New: func() any { return new(order) }}

func newOrder(table int, dish string) *order {
	o := orders.Get().(*order)
	o.table, o.dish = table, dish
	return o
}

func (o *order) done() {
	*o = order{}
	orders.Put(o)
}

// The cook puts what he was woken for.
type kitchen struct {
	mu   sync.Mutex
	more *sync.Cond
	todo []*order
}

func newKitchen() *kitchen {
	k := &kitchen{}
	k.more = sync.NewCond(&k.mu)
	return k
}

func (k *kitchen) place(table int, dish string) *order {
	o := newOrder(table, dish)
	k.mu.Lock()
	k.todo = append(k.todo, o)
	k.mu.Unlock()
	k.more.Signal()
	return o // want `place returns what it added to todo: who was woken for that takes it out and puts it`
}

func (k *kitchen) cook(serve func(int, string)) {
	for {
		k.mu.Lock()
		for len(k.todo) == 0 {
			k.more.Wait()
		}
		o := k.todo[0]
		k.todo = k.todo[1:]
		k.mu.Unlock()
		serve(o.table, o.dish)
		o.done()
	}
}

func waiter(k *kitchen, note func(int)) {
	o := k.place(4, "soup")
	note(o.table)
}

// Two functions up the lock is given back, and the taker's caller puts.
type bar struct {
	mu    sync.Mutex
	more  *sync.Cond
	todo  []*order
	ended bool
}

var errEnded = errors.New("ended")

func newBar() *bar {
	b := &bar{}
	b.more = sync.NewCond(&b.mu)
	return b
}

func (b *bar) Place(table int, dish string) (bool, *order) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return false, nil
	}
	return true, b.place(table, dish)
}

func (b *bar) place(table int, dish string) *order {
	o := newOrder(table, dish)
	b.todo = append(b.todo, o)
	b.more.Broadcast()
	return o // want `place returns what it added to todo: who was woken for that takes it out and puts it`
}

func (b *bar) Next() (*order, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.todo) == 0 {
		if b.ended {
			return nil, errEnded
		}
		b.more.Wait()
	}
	o := b.todo[len(b.todo)-1]
	b.todo = b.todo[:len(b.todo)-1]
	return o, nil
}

func mix(b *bar, serve func(string)) {
	for {
		o, err := b.Next()
		if err != nil {
			return
		}
		serve(o.dish)
		o.done()
	}
}

func guest(b *bar) int {
	if ok, o := b.Place(1, "tea"); ok {
		o.dish += " and cake"
		return o.table
	}
	return 0
}

// Here the one who asks reads what was queued before the lock is given back, or only whether it was.
type counter struct {
	mu   sync.Mutex
	more *sync.Cond
	todo []*order
	last int
}

func newCounter() *counter {
	c := &counter{}
	c.more = sync.NewCond(&c.mu)
	return c
}

func (c *counter) place(table int, dish string) *order {
	if dish == "" {
		return nil
	}
	o := newOrder(table, dish)
	c.todo = append(c.todo, o)
	c.more.Signal()
	return o
}

func (c *counter) Place(table int, dish string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o := c.place(table, dish); o != nil {
		c.last = o.table
	}
}

func (c *counter) Try(table int, dish string) bool {
	c.mu.Lock()
	o := c.place(table, dish)
	c.mu.Unlock()
	return o != nil
}

func (c *counter) serve(serve func(int, string)) {
	for {
		c.mu.Lock()
		for len(c.todo) == 0 {
			c.more.Wait()
		}
		o := c.todo[0]
		c.todo = c.todo[1:]
		c.mu.Unlock()
		serve(o.table, o.dish)
		o.done()
	}
}

// Both hold a reference.
type ticket struct {
	refs int32
	seat int
}

var tickets = sync.Pool{New: func() any { return new(ticket) }}

type booth struct {
	mu   sync.Mutex
	more *sync.Cond
	todo []*ticket
}

func newBooth() *booth {
	b := &booth{}
	b.more = sync.NewCond(&b.mu)
	return b
}

func (b *booth) release(t *ticket) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.refs--
	if t.refs == 0 {
		tickets.Put(t)
	}
}

func (b *booth) sell(seat int) *ticket {
	t := tickets.Get().(*ticket)
	t.seat, t.refs = seat, 2
	b.mu.Lock()
	b.todo = append(b.todo, t)
	b.mu.Unlock()
	b.more.Signal()
	return t
}

func (b *booth) print(out func(int)) {
	for {
		b.mu.Lock()
		for len(b.todo) == 0 {
			b.more.Wait()
		}
		t := b.todo[0]
		b.todo = b.todo[1:]
		b.mu.Unlock()
		out(t.seat)
		b.release(t)
	}
}

func visitor(b *booth) int {
	t := b.sell(7)
	defer b.release(t)
	return t.seat
}

// The one who asked puts what he asked, when the worker has told that it is ready.
type question struct {
	text, answer string
	ready        chan struct{}
}

var questions = sync.Pool{New: func() any { return &question{ready: make(chan struct{}, 1)} }}

type desk struct {
	mu   sync.Mutex
	more *sync.Cond
	todo []*question
}

func newDesk() *desk {
	d := &desk{}
	d.more = sync.NewCond(&d.mu)
	return d
}

func (d *desk) ask(text string) *question {
	q := questions.Get().(*question)
	q.text = text
	d.mu.Lock()
	d.todo = append(d.todo, q)
	d.mu.Unlock()
	d.more.Signal()
	return q
}

func (d *desk) work(think func(string) string) {
	for {
		d.mu.Lock()
		for len(d.todo) == 0 {
			d.more.Wait()
		}
		q := d.todo[0]
		d.todo = d.todo[1:]
		d.mu.Unlock()
		q.answer = think(q.text)
		q.ready <- struct{}{}
	}
}

func pupil(d *desk) string {
	q := d.ask("why")
	<-q.ready
	s := q.answer
	q.text, q.answer = "", ""
	questions.Put(q)
	return s
}
