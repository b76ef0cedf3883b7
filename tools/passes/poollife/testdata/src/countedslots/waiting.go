// SPDX-License-Identifier: BSD-3-Clause

package countedslots

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"
)

// Who waits for a slot may stop waiting.

var errBusy = errors.New("busy")

// Wrong: a large cup keeps its slot.

type bar struct {
	seats chan struct{}
	cups  *sync.Pool
	extra chan struct{}
}

func (b *bar) cup(ctx context.Context) (*bytes.Buffer, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case b.seats <- struct{}{}:
	}
	return b.cups.Get().(*bytes.Buffer), nil
}

func (b *bar) stand() { <-b.seats }

func (b *bar) wash(c *bytes.Buffer) {
	b.cups.Put(c)
	b.stand()
}

func (b *bar) hand(c *bytes.Buffer) {
	n := c.Cap()
	c.Reset()
	if n < most/2 {
		b.wash(c)
		return
	}
	select {
	case b.extra <- struct{}{}:
		b.wash(c)
	default:
	}
} // want `c is dropped here with its slot`

func (b *bar) handRight(c *bytes.Buffer) {
	n := c.Cap()
	c.Reset()
	if n < most/2 {
		b.wash(c)
		return
	}
	select {
	case b.extra <- struct{}{}:
		b.wash(c)
	default:
		b.stand()
	}
}

func (b *bar) drink(ctx context.Context, text string) (int, error) {
	c, err := b.cup(ctx)
	if err != nil {
		return 0, err
	}
	defer b.hand(c)
	return c.WriteString(text)
}

func (b *bar) sip(ctx context.Context, text string) (int, error) {
	c, err := b.cup(ctx)
	if err != nil {
		return 0, err
	}
	defer b.handRight(c)
	return c.WriteString(text)
}

// Wrong: the waiting is in a function of its own, and the pool has slices.

type kiln struct {
	room   chan struct{}
	closed chan struct{}
	trays  sync.Pool
}

func (k *kiln) enter(d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case k.room <- struct{}{}:
		return nil
	case <-k.closed:
	case <-t.C:
	}
	return errBusy
}

func (k *kiln) tray() ([]byte, error) {
	if err := k.enter(time.Second); err != nil {
		return nil, err
	}
	if p, ok := k.trays.Get().(*[]byte); ok {
		return *p, nil
	}
	return make([]byte, 0, 512), nil
}

func (k *kiln) clean(b []byte) {
	if cap(b) > most {
		return // want `b is dropped here with its slot`
	}
	b = b[:0]
	k.trays.Put(&b)
	<-k.room
}

func (k *kiln) fire(text string) (int, error) {
	b, err := k.tray()
	if err != nil {
		return 0, err
	}
	b = append(b, text...)
	k.clean(b)
	return len(text), nil
}

// Right: it goes back first.
func (k *kiln) cleanRight(b []byte) {
	<-k.room
	if cap(b) <= most {
		b = b[:0]
		k.trays.Put(&b)
	}
}

func (k *kiln) fireRight(text string) (int, error) {
	b, err := k.tray()
	if err != nil {
		return 0, err
	}
	b = append(b, text...)
	k.cleanRight(b)
	return len(text), nil
}

// Right: who waited too long gets one without a slot, which is larger.

type quay struct {
	berths chan struct{}
	boats  sync.Pool
}

func (q *quay) boat() *bytes.Buffer {
	select {
	case q.berths <- struct{}{}:
	case <-time.After(time.Second):
		return bytes.NewBuffer(make([]byte, 0, 2*most))
	}
	if b, ok := q.boats.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (q *quay) moor(b *bytes.Buffer) {
	if b.Cap() > most {
		return
	}
	b.Reset()
	q.boats.Put(b)
	<-q.berths
}

func (q *quay) sail(text string) int {
	b := q.boat()
	defer q.moor(b)
	n, _ := b.WriteString(text)
	return n
}

// Right: who is not given one makes it.

type dock struct {
	berths chan struct{}
	boats  sync.Pool
}

func (d *dock) boat(ctx context.Context) (*page, error) {
	select {
	case d.berths <- struct{}{}:
		if p, ok := d.boats.Get().(*page); ok {
			return p, nil
		}
		return new(page), nil
	case <-ctx.Done():
		return nil, errBusy
	}
}

func (d *dock) moor(p *page) {
	if cap(p.text) > most {
		return
	}
	p.text = p.text[:0]
	d.boats.Put(p)
	<-d.berths
}

func (d *dock) sail(ctx context.Context, text string) int {
	p, err := d.boat(ctx)
	if err != nil {
		p = &page{make([]byte, 0, 2*most)}
	}
	defer d.moor(p)
	p.text = append(p.text, text...)
	return len(p.text)
}
