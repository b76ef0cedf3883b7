// SPDX-License-Identifier: BSD-3-Clause

package alsoqueued

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

type rows struct{ cells [][]byte }

var rowsPool = sync.Pool{New: func() any { return &rows{} }}

func (r *rows) free() {
	clear(r.cells)
	r.cells = r.cells[:0]
	rowsPool.Put(r)
}

type order struct {
	rows *rows
	no   int
}

func (o *order) drop() { o.rows.free() }

// By hand.
type desk struct {
	mu   sync.Mutex
	open []*order
	todo chan *order
}

func (d *desk) take(cells ...[]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o := &order{rows: rowsPool.Get().(*rows)}
	o.rows.cells = append(o.rows.cells, cells...)
	d.open = append(d.open, o)
	d.todo <- o
}

func (d *desk) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		rows := o.rows
		clear(rows.cells)
		rows.cells = rows.cells[:0]
		rowsPool.Put(rows)
	}
	d.open = nil
}

func (d *desk) work(w io.Writer) {
	for o := range d.todo {
		for _, c := range o.rows.cells { // want `field rows, used here, may be in its pool: what was received from todo is in open as well \(line \d+\), and giveUp puts the rows of all that is there, which stays in the field`
			w.Write(c)
		}
	}
}

// By methods, in a map, in a goroutine.
type counter struct {
	sync.Mutex
	orders map[int]*order
	todo   chan *order
}

func (c *counter) note(o *order) {
	c.Lock()
	c.orders[o.no] = o
	c.Unlock()
}

func (c *counter) send(ctx context.Context, o *order) error {
	select {
	case c.todo <- o:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *counter) take(ctx context.Context, no int, cell []byte) error {
	r := rowsPool.Get().(*rows)
	r.cells = append(r.cells, cell)
	o := &order{no: no, rows: r}
	c.note(o)
	return c.send(ctx, o)
}

func (c *counter) Reset() {
	c.Lock()
	defer c.Unlock()
	for no, o := range c.orders {
		o.drop()
		delete(c.orders, no)
	}
}

func write(w io.Writer, o *order) {
	for _, c := range o.rows.cells { // want `field rows, used here, may be in its pool: what was received from todo is in orders as well \(line \d+\), and Reset puts the rows of all that is there, which stays in the field`
		w.Write(c)
	}
}

func (c *counter) start(w io.Writer) {
	go func() {
		for {
			o, ok := <-c.todo
			if !ok {
				return
			}
			write(w, o)
		}
	}()
}

// Here the field is set to nil, and who receives the order asks.
type clearing struct {
	mu   sync.Mutex
	open []*lockedOrder
	todo chan *lockedOrder
}

type lockedOrder struct {
	mu   sync.Mutex
	rows *rows
}

func (d *clearing) take() {
	o := &lockedOrder{rows: rowsPool.Get().(*rows)}
	d.mu.Lock()
	d.open = append(d.open, o)
	d.mu.Unlock()
	d.todo <- o
}

func (d *clearing) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		o.mu.Lock()
		o.rows.free()
		o.rows = nil
		o.mu.Unlock()
	}
	d.open = nil
}

func (d *clearing) work(w io.Writer) {
	for o := range d.todo {
		o.mu.Lock()
		if o.rows != nil {
			for _, c := range o.rows.cells {
				w.Write(c)
			}
		}
		o.mu.Unlock()
	}
}

// Here a flag of the order tells.
type flagging struct {
	mu   sync.Mutex
	open []*flaggedOrder
	todo chan *flaggedOrder
}

type flaggedOrder struct {
	rows *rows
	gone atomic.Bool
}

func (d *flagging) take() {
	o := &flaggedOrder{rows: rowsPool.Get().(*rows)}
	d.mu.Lock()
	d.open = append(d.open, o)
	d.mu.Unlock()
	d.todo <- o
}

func (d *flagging) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		if o.gone.CompareAndSwap(false, true) {
			o.rows.free()
		}
	}
	d.open = nil
}

func (d *flagging) work(w io.Writer) {
	for o := range d.todo {
		if o.gone.CompareAndSwap(false, true) {
			for _, c := range o.rows.cells {
				w.Write(c)
			}
		}
	}
}

// Here who receives an order takes it out of the list first.
type removing struct {
	mu   sync.Mutex
	open map[*order]*order
	todo chan *order
}

func (d *removing) take() {
	o := &order{rows: rowsPool.Get().(*rows)}
	d.mu.Lock()
	d.open[o] = o
	d.mu.Unlock()
	d.todo <- o
}

func (d *removing) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		o.drop()
	}
	clear(d.open)
}

func (d *removing) claim(o *order) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.open[o]; !ok {
		return false
	}
	delete(d.open, o)
	return true
}

func (d *removing) work(w io.Writer) {
	for o := range d.todo {
		if d.claim(o) {
			for _, c := range o.rows.cells {
				w.Write(c)
			}
			o.drop()
		}
	}
}

// Here it goes to the list where there is no room in the channel.
type either struct {
	mu   sync.Mutex
	late []*order
	todo chan *order
}

func (d *either) take() {
	o := &order{rows: rowsPool.Get().(*rows)}
	select {
	case d.todo <- o:
	default:
		d.mu.Lock()
		d.late = append(d.late, o)
		d.mu.Unlock()
	}
}

func (d *either) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.late {
		o.drop()
	}
	d.late = nil
}

func (d *either) work(w io.Writer) {
	for o := range d.todo {
		for _, c := range o.rows.cells {
			w.Write(c)
		}
		o.drop()
	}
}

// Here nobody works any more when the orders are given up.
type closing struct {
	mu   sync.Mutex
	open []*order
	todo chan *order
	done sync.WaitGroup
}

func (d *closing) take() {
	o := &order{rows: rowsPool.Get().(*rows)}
	d.mu.Lock()
	d.open = append(d.open, o)
	d.mu.Unlock()
	d.todo <- o
}

func (d *closing) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		o.drop()
	}
	d.open = nil
}

func (d *closing) work(w io.Writer) {
	defer d.done.Done()
	for o := range d.todo {
		for _, c := range o.rows.cells {
			w.Write(c)
		}
	}
}

func (d *closing) Close() {
	close(d.todo)
	d.done.Wait()
	d.giveUp()
}

// Here the worker itself gives up.
type own struct {
	mu   sync.Mutex
	open []*order
	todo chan *order
}

func (d *own) take() {
	o := &order{rows: rowsPool.Get().(*rows)}
	d.mu.Lock()
	d.open = append(d.open, o)
	d.mu.Unlock()
	d.todo <- o
}

func (d *own) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		o.drop()
	}
	d.open = nil
}

func (d *own) work(w io.Writer) {
	for o := range d.todo {
		for _, c := range o.rows.cells {
			if _, err := w.Write(c); err != nil {
				return
			}
		}
	}
}

func (d *own) serve(w io.Writer) {
	d.work(w)
	d.giveUp()
}
