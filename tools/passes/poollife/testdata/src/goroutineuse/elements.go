// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

type shipment struct{ rows []string }

type shipmentPool struct{ p *sync.Pool }

func (s *shipmentPool) put(x *shipment) {
	clear(x.rows)
	x.rows = x.rows[:0]
	s.p.Put(x)
}

type carrier interface{ Ship(rows []string) error }

type depot struct {
	pool  shipmentPool
	to    map[string]carrier
	queue chan func()
	w     io.Writer
}

// The first failure ends it, while the others are on their way.
func (d *depot) shipAny(all map[string]*shipment) error {
	errs := make(chan error, len(all))
	defer func() {
		for _, s := range all {
			d.pool.put(s) // want `s is put in pool while the goroutine started at line 40 may still use it`
		}
	}()
	for name := range all {
		go func() { errs <- d.to[name].Ship(all[name].rows) }()
	}
	return <-errs
}

func (d *depot) shipUntil(ctx context.Context, all []*shipment, c carrier) error {
	errs := make(chan error, len(all))
	for n := range all {
		go func() { errs <- c.Ship(all[n].rows) }()
	}
	var err error
	for range all {
		select {
		case e := <-errs:
			if e != nil {
				err = e
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	for _, s := range all {
		d.pool.put(s) // want `s is put in pool while the goroutine started at line 48 may still use it`
	}
	return err
}

func (d *depot) shipAll(all map[string]*shipment) {
	var wg sync.WaitGroup
	for name := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			d.to[name].Ship(all[name].rows)
		}()
	}
	wg.Wait()
	for _, s := range all {
		d.pool.put(s)
	}
}

func (d *depot) shipEach(all []*shipment, c carrier) (err error) {
	errs := make(chan error, len(all))
	for n := range all {
		go func() { errs <- c.Ship(all[n].rows) }()
	}
	for range all {
		if e := <-errs; e != nil {
			err = e
		}
	}
	for _, s := range all {
		d.pool.put(s)
	}
	return err
}

// The goroutine looks at the names only.
func (d *depot) names(all map[string]*shipment, out chan<- string) {
	go func() {
		for name := range d.to {
			if _, ok := all[name]; ok {
				out <- name
			}
		}
	}()
	for _, s := range all {
		d.pool.put(s)
	}
}

// What the queue's goroutine calls works in the buffer.

var sheets = sync.Pool{New: func() any { return new([]byte) }}

func (d *depot) queued(text string) {
	b := sheets.Get().(*[]byte)
	*b = append((*b)[:0], text...)
	d.queue <- func() { d.w.Write(*b) }
	sheets.Put(b) // want `b is put in sheets while the receiver from the channel \(line 119\) may still use it`
}

func (d *depot) later(f func()) { d.queue <- f }

func (d *depot) queuedByHelper(text string) {
	b := sheets.Get().(*[]byte)
	defer sheets.Put(b) // want `b is put in sheets while the receiver`
	*b = append((*b)[:0], text...)
	data := *b
	d.later(func() { d.w.Write(data) })
}

func (d *depot) queuedAndPutThere(text string) {
	b := sheets.Get().(*[]byte)
	*b = append((*b)[:0], text...)
	d.queue <- func() {
		d.w.Write(*b)
		sheets.Put(b)
	}
}

func (d *depot) queuedAndAwaited(text string) {
	b := sheets.Get().(*[]byte)
	defer sheets.Put(b)
	*b = append((*b)[:0], text...)
	done := make(chan struct{})
	d.queue <- func() {
		d.w.Write(*b)
		close(done)
	}
	<-done
}

func (d *depot) queuedCopy(text string) {
	b := sheets.Get().(*[]byte)
	defer sheets.Put(b)
	*b = append((*b)[:0], text...)
	data := string(*b)
	d.queue <- func() { io.WriteString(d.w, data) }
}

// last calls f when as many have called done as it was made for.
type last struct {
	n atomic.Int32
	f func()
}

func newLast(n int32, f func()) *last {
	l := &last{f: f}
	l.n.Store(n)
	return l
}

func (l *last) more() { l.n.Add(1) }

func (l *last) done() {
	if l.n.Add(-1) == 0 {
		l.f()
	}
}

func (d *depot) queuedForOne(text string) {
	b := sheets.Get().(*[]byte)
	l := newLast(1, func() { sheets.Put(b) })
	*b = append((*b)[:0], text...)
	data := *b
	d.queue <- func() { d.w.Write(data) }
	l.done() // want `l is put in sheets while the receiver from the channel`
}

func (d *depot) queuedForTwo(text string) {
	b := sheets.Get().(*[]byte)
	l := newLast(2, func() { sheets.Put(b) })
	*b = append((*b)[:0], text...)
	data := *b
	d.queue <- func() {
		d.w.Write(data)
		l.done()
	}
	l.done()
}

func (d *depot) queuedForMore(text string) {
	b := sheets.Get().(*[]byte)
	l := newLast(1, func() { sheets.Put(b) })
	*b = append((*b)[:0], text...)
	data := *b
	l.more()
	d.queue <- func() {
		d.w.Write(data)
		l.done()
	}
	l.done()
}

// What was exchanged before stays with the caller, whoever puts the rest.

type carton struct{ body []byte }

var cartons = sync.Pool{New: func() any { return new(carton) }}

func (c *carton) trade(o *carton) { c.body, o.body = o.body, c.body }

func traded(c *carton, use func(*carton)) {
	mine := cartons.Get().(*carton)
	mine.trade(c)
	go func() {
		use(mine)
		cartons.Put(mine)
	}()
}

func keptBoth(c *carton, use func(*carton)) {
	mine := cartons.Get().(*carton)
	c.body = mine.body // want `field body keeps memory of`
	go func() {
		use(mine)
		cartons.Put(mine)
	}()
}
