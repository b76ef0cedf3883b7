// Deferred calls that give something up unless it was passed on.
package keptarmed

import "sync"

type order struct {
	items []string
	done  bool
}

var orders = sync.Pool{New: func() any { return new(order) }}

type ticket struct {
	o     *order
	price int
}

func (t *ticket) drop() {
	if t.o != nil {
		t.o.items = t.o.items[:0]
		orders.Put(t.o)
		t.o = nil
	}
}

func newTicket(price int) *ticket { return &ticket{orders.Get().(*order), price} }

type kitchen interface {
	cook(t *ticket) error
	look(t *ticket) error
}

// Wrong: the kitchen has the ticket, and the deferred call drops it.
func serve(k kitchen, t *ticket, discount func(int) int) error {
	mine := true
	defer func() {
		if mine {
			t.drop()
		}
	}()
	if discount == nil {
		mine = false
		return k.cook(t)
	}
	t.price = discount(t.price)
	return k.cook(t) // want `t, passed on here, is given up by the deferred call as well \(line 38\), though who is called takes it over: for the same call on another way \(line 43\) mine is set to false`
}

// Wrong: the flag is the other way round.
func serveLate(cook func(*ticket) error, t *ticket, discount func(int) int) error {
	gone := false
	defer func() {
		if !gone {
			t.drop()
		}
	}()
	if discount != nil {
		t.price = discount(t.price)
		return cook(t) // want `t, passed on here, is given up by the deferred call as well`
	}
	gone = true
	return cook(t)
}

// Right: it is passed on on both ways.
func serveBoth(k kitchen, t *ticket, discount func(int) int) error {
	mine := true
	defer func() {
		if mine {
			t.drop()
		}
	}()
	if discount == nil {
		mine = false
		return k.cook(t)
	}
	t.price = discount(t.price)
	if t.price < 0 {
		return nil
	}
	mine = false
	return k.cook(t)
}

// Right: who only looks at a ticket does not take it.
func peek(k kitchen, t *ticket, discount func(int) int) error {
	mine := true
	defer func() {
		if mine {
			t.drop()
		}
	}()
	if discount == nil {
		mine = false
		return k.cook(t)
	}
	return k.look(t)
}

// Right: the kitchen gets another one.
func serveCopy(k kitchen, t *ticket, discount func(int) int) error {
	mine := true
	defer func() {
		if mine {
			t.drop()
		}
	}()
	if discount == nil {
		mine = false
		return k.cook(t)
	}
	other := newTicket(discount(t.price))
	return k.cook(other)
}

// Right: whether it was taken is told by the result.
func serveTold(k kitchen, t *ticket, discount func(int) int) (err error) {
	mine := true
	defer func() {
		if mine {
			t.drop()
		}
	}()
	if discount == nil {
		mine = false
		return k.cook(t)
	}
	if err = k.cook(t); err == nil {
		mine = false
	}
	return err
}
