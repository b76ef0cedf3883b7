// SPDX-License-Identifier: BSD-3-Clause

package handback

import (
	"context"
	"sync"
)

type order struct {
	what string
	back chan<- string
}

var orders = sync.Pool{New: func() any { return new(order) }}

func newOrder(what string, back chan<- string) *order {
	o := orders.Get().(*order)
	o.what, o.back = what, back
	return o
}

func dropOrder(o *order) {
	*o = order{}
	orders.Put(o)
}

// Right: the kitchen answers, and puts the order after that. Who leaves early has given it away.
type kitchen struct{ in chan *order }

func newKitchen(cook func(string) string) *kitchen {
	k := &kitchen{in: make(chan *order)}
	go k.work(cook)
	return k
}

func (k *kitchen) work(cook func(string) string) {
	for o := range k.in {
		o.back <- cook(o.what)
		dropOrder(o)
	}
}

func (k *kitchen) ask(ctx context.Context, what string) (string, error) {
	back := make(chan string, 1)
	o := newOrder(what, back)
	select {
	case k.in <- o:
	case <-ctx.Done():
		dropOrder(o)
		return "", ctx.Err()
	}
	select {
	case s := <-back:
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Right: who receives gathers what is to be done, and another goroutine puts it.
type bar struct {
	in  chan *order
	all map[int][]*order
}

func newBar(mix func(string) string) *bar {
	b := &bar{in: make(chan *order), all: map[int][]*order{}}
	go b.work(mix)
	return b
}

func (b *bar) work(mix func(string) string) {
	for o := range b.in {
		n := len(o.what)
		b.all[n] = append(b.all[n], o)
		if len(b.all[n]) == 8 {
			list := b.all[n]
			delete(b.all, n)
			go func() {
				for _, o := range list {
					o.back <- mix(o.what)
					dropOrder(o)
				}
			}()
		}
	}
}

func (b *bar) ask(ctx context.Context, what string) (string, error) {
	back := make(chan string, 1)
	o := newOrder(what, back)
	select {
	case b.in <- o:
	case <-ctx.Done():
		dropOrder(o)
		return "", ctx.Err()
	}
	select {
	case s := <-back:
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

type dish struct {
	what string
	got  string
	done chan struct{}
}

var dishes = sync.Pool{New: func() any { return &dish{done: make(chan struct{}, 1)} }}

// Wrong: the counter only answers, so that the dish is lost when nobody waits for it any more.
type counter struct{ in chan *dish }

func newCounter(cook func(string) string) *counter {
	c := &counter{in: make(chan *dish)}
	go c.work(cook)
	return c
}

func (c *counter) work(cook func(string) string) {
	for d := range c.in {
		d.got = cook(d.what)
		d.done <- struct{}{}
	}
}

func (c *counter) ask(ctx context.Context, what string) (string, error) {
	d := dishes.Get().(*dish) // want `d, taken from dishes at line .*, is not put back on the path that ends here`
	d.what = what
	select {
	case c.in <- d:
	case <-ctx.Done():
		dishes.Put(d)
		return "", ctx.Err()
	}
	select {
	case <-d.done:
		s := d.got
		dishes.Put(d)
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
