// SPDX-License-Identifier: BSD-3-Clause

package fields

import "sync"

// A constant that new objects have too is how each use begins.

type order struct {
	words []string
	ready int
}

var orders = &sync.Pool{New: func() any { return &order{words: make([]string, 0, 2), ready: -1} }}

func newOrder() *order { return orders.Get().(*order) }

func (o *order) finish() {
	if o.ready != -1 {
		panic("finished twice")
	}
	o.ready = len(o.words)
}

func dropOrder(o *order) {
	clear(o.words)
	o.words = o.words[:0]
	o.ready = -1
	orders.Put(o)
}

// Order is what other packages have.
type Order struct{ o *order }

func Start(s string) Order {
	o := newOrder()
	o.words = append(o.words, s)
	return Order{o}
}

func (x Order) Finish() Order {
	x.o.finish()
	return x
}

func Drop(x Order) { dropOrder(x.o) }

// Another one is not.
type bill struct {
	lines []string
	paid  int
}

var bills = &sync.Pool{New: func() any { return &bill{paid: -1} }}

func (b *bill) pay() {
	if b.paid != -1 { // want `field paid of the value from bills is read as the last user left it`
		panic("paid twice")
	}
	b.paid = len(b.lines)
}

func dropBill(b *bill) {
	clear(b.lines)
	b.lines = b.lines[:0]
	b.paid = -2
	bills.Put(b)
}

type Bill struct{ b *bill }

func newBill() *bill { return bills.Get().(*bill) }

func Open(s string) Bill {
	b := newBill()
	b.lines = append(b.lines, s)
	return Bill{b}
}

func (x Bill) Pay() Bill {
	x.b.pay()
	return x
}

func Shred(x Bill) { dropBill(x.b) }

func Both(s string) {
	b := newBill()
	b.lines = append(b.lines, s)
	b.pay()
}

func Quick(s string) {
	b := newBill()
	b.lines = append(b.lines, s)
	dropBill(b)
}

func BothOrder(s string) {
	o := newOrder()
	o.words = append(o.words, s)
	o.finish()
}

func QuickOrder(s string) {
	o := newOrder()
	o.words = append(o.words, s)
	dropOrder(o)
}
