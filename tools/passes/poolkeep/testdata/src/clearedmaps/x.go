// SPDX-License-Identifier: BSD-3-Clause

// Package clearedmaps resets what is decoded into field by field, and the maps among the fields by emptying them.
package clearedmaps

import (
	"encoding/json"
	"sync"
)

type order struct {
	Name string
	Meta map[string]string
}

var orders = sync.Pool{New: func() any { return new(order) }}

func putOrder(o *order) {
	o.Name = ""
	clear(o.Meta)
	orders.Put(o)
}

func names(b []byte, f func(string)) error { // right
	o := orders.Get().(*order)
	defer putOrder(o)
	if err := json.Unmarshal(b, o); err != nil {
		return err
	}
	f(o.Name + o.Meta["suffix"])
	return nil
}

// Right: or there is none.

var guarded = sync.Pool{New: func() any { return new(order) }}

func putGuarded(o *order) {
	o.Name = ""
	if o.Meta != nil {
		clear(o.Meta)
	}
	guarded.Put(o)
}

func namesGuarded(b []byte, f func(string)) error {
	o := guarded.Get().(*order)
	defer putGuarded(o)
	if err := json.Unmarshal(b, o); err != nil {
		return err
	}
	f(o.Name)
	return nil
}

// Wrong: the map keeps its entries.

var halves = sync.Pool{New: func() any { return new(order) }}

func namesHalf(b []byte, f func(string)) error {
	o := halves.Get().(*order)
	defer func() {
		o.Name = ""
		halves.Put(o)
	}()
	if err := json.Unmarshal(b, o); err != nil { // want `o, taken from halves at line \d+, is decoded into without a reset`
		return err
	}
	f(o.Meta["suffix"])
	return nil
}

// Wrong: only the map is emptied.

type ticket struct {
	Code  string
	Flags map[string]bool
}

var tickets = sync.Pool{New: func() any { return new(ticket) }}

func codes(b []byte, f func(string)) error {
	t := tickets.Get().(*ticket)
	defer func() {
		clear(t.Flags)
		tickets.Put(t)
	}()
	if err := json.Unmarshal(b, t); err != nil { // want `t, taken from tickets at line \d+, is decoded into without a reset`
		return err
	}
	f(t.Code)
	return nil
}

// Right: key by key.

type label struct {
	Text string
	Tags map[string]int
}

var labels = sync.Pool{New: func() any { return new(label) }}

func texts(b []byte, f func(string)) error {
	l := labels.Get().(*label)
	defer func() {
		l.Text = ""
		for k := range l.Tags {
			delete(l.Tags, k)
		}
		labels.Put(l)
	}()
	if err := json.Unmarshal(b, l); err != nil {
		return err
	}
	f(l.Text)
	return nil
}
