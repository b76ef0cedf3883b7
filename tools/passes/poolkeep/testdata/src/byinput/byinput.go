// SPDX-License-Identifier: BSD-3-Clause

package byinput

import (
	"bytes"
	"encoding/binary"
	"sync"
)

type mail struct {
	from, to []byte
	size     uint64
}

// read sets what the input has.
func (m *mail) read(b []byte) bool {
	for len(b) > 1 {
		tag, n := b[0], int(b[1])
		if b = b[2:]; len(b) < n {
			return false
		}
		v := b[:n]
		b = b[n:]
		switch tag {
		case 'f':
			m.from = append([]byte(nil), v...)
		case 't':
			m.to = append([]byte(nil), v...)
		case 's':
			m.size, _ = binary.Uvarint(v)
		}
	}
	return true
}

var mails = sync.Pool{New: func() any { return new(mail) }}

// Wrong: neither side empties it.
func deliver(b []byte, to func([]byte)) bool {
	m := mails.Get().(*mail)
	defer mails.Put(m)
	if !m.read(b) { // want `field from of m, taken from mails at line 41, is set only where the input has it`
		return false
	}
	to(m.to)
	return true
}

type header struct {
	host, agent []byte
}

func (h *header) set(name string, value []byte) {
	switch name {
	case "host":
		h.host = value
	case "user-agent":
		h.agent = value
	}
}

func parse(h *header, b []byte) {
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		if name, value, ok := bytes.Cut(line, []byte(": ")); ok {
			h.set(string(bytes.ToLower(name)), bytes.Clone(value))
		}
	}
}

var headers sync.Pool

func takeHeader() *header {
	if h, ok := headers.Get().(*header); ok {
		return h
	}
	return new(header)
}

func putHeader(h *header) { headers.Put(h) }

// Wrong: by names, with the setter beside it; who handles the header puts it.
func request(b []byte, handle func([]byte)) {
	h := takeHeader()
	parse(h, b) // want `field host of h, taken from headers at line 76, is set only where the input has it`
	answer(h, handle)
}

func answer(h *header, handle func([]byte)) {
	defer putHeader(h)
	if h.agent != nil {
		handle(h.host)
	}
}

type order struct {
	item  string
	count int
}

func (o *order) read(b []byte) {
	for ; len(b) > 8; b = b[8:] {
		switch binary.LittleEndian.Uint32(b) {
		case 1:
			o.item = string(b[4:8])
		case 2:
			o.count = int(binary.LittleEndian.Uint32(b[4:]))
		}
	}
}

var orders = sync.Pool{New: func() any { return new(order) }}

// Right: emptied where it is taken.
func total(b []byte) int {
	o := orders.Get().(*order)
	defer orders.Put(o)
	*o = order{}
	o.read(b)
	return o.count * len(o.item)
}

type bill struct {
	name string
	sum  int
}

func (l *bill) read(b []byte) {
	for ; len(b) > 8; b = b[8:] {
		switch b[0] {
		case 1:
			l.name = string(b[4:8])
		case 2:
			l.sum = int(binary.LittleEndian.Uint32(b[4:]))
		}
	}
}

var bills = sync.Pool{New: func() any { return new(bill) }}

func putBill(l *bill) {
	l.name, l.sum = "", 0
	bills.Put(l)
}

// Right: emptied where it is put.
func pay(b []byte, to func(string, int)) {
	l := bills.Get().(*bill)
	l.read(b)
	send(l, to)
}

func send(l *bill, to func(string, int)) {
	to(l.name, l.sum)
	putBill(l)
}

type plan struct {
	from, until int
}

// Right: the fields are set first.
func (p *plan) read(b []byte) {
	p.from, p.until = 0, len(b)
	for k, c := range b {
		switch c {
		case '<':
			p.from = k
		case '>':
			p.until = k
		}
	}
}

var plans = sync.Pool{New: func() any { return new(plan) }}

func span(b []byte) int {
	p := plans.Get().(*plan)
	defer plans.Put(p)
	p.read(b)
	return p.until - p.from
}

type value struct {
	kind byte
	num  uint32
	text string
}

// Right: the kind is always set and tells which field counts.
func (v *value) read(b []byte) {
	v.kind = b[0]
	switch v.kind {
	case 1:
		v.num = binary.LittleEndian.Uint32(b[1:])
	case 2:
		v.text = string(b[1:])
	}
}

var values = sync.Pool{New: func() any { return new(value) }}

func show(b []byte) string {
	v := values.Get().(*value)
	defer values.Put(v)
	if v.read(b); v.kind == 2 {
		return v.text
	}
	if v.kind == 1 {
		return string(rune(v.num))
	}
	return ""
}

// Right: what the input may lack is set before.
func brief(b []byte) int {
	o := orders.Get().(*order)
	o.item, o.count = "none", 1
	o.read(b)
	n := o.count * len(o.item)
	orders.Put(o)
	return n
}
