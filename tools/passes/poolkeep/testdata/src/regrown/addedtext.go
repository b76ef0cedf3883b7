// SPDX-License-Identifier: BSD-3-Clause

package regrown

import (
	"io"
	"strconv"
	"sync"
)

// Builders of text whose methods append what they are given.

type ticket struct {
	text []byte
	out  io.Writer
}

var tickets = sync.Pool{New: func() any { return &ticket{text: make([]byte, 0, 200)} }}

func NewTicket(out io.Writer) *ticket {
	t := tickets.Get().(*ticket)
	t.text = t.text[:0]
	t.out = out
	return t
}

func (t *ticket) sep() {
	if len(t.text) > 0 {
		t.text = append(t.text, ' ')
	}
}

func (t *ticket) Line(name string, s []byte) *ticket {
	t.sep()
	t.text = append(strconv.AppendQuote(t.text, name), '=')
	t.text = append(t.text, s...)
	return t
}

func (t *ticket) Print() error {
	_, err := t.out.Write(t.text)
	t.out = nil
	tickets.Put(t) // want `t, the pooled ticket, keeps text of any size`
	return err
}

// Large ones are dropped, in the one function that all call.
type receipt struct{ text []byte }

var receipts = sync.Pool{New: func() any { return new(receipt) }}

func NewReceipt() *receipt {
	r := receipts.Get().(*receipt)
	r.text = r.text[:0]
	return r
}

func (r *receipt) Add(s string) { r.text = append(r.text, s...) }

func (r *receipt) large() bool { return cap(r.text) > 4096 }

func (r *receipt) Free() {
	if !r.large() {
		receipts.Put(r)
	}
}

// What is full is written out: the text never grows beyond that.
type roll struct {
	text []byte
	out  io.Writer
}

var rolls = sync.Pool{New: func() any { return new(roll) }}

func NewRoll(out io.Writer) *roll {
	r := rolls.Get().(*roll)
	r.text, r.out = r.text[:0], out
	return r
}

func (r *roll) room(n int) {
	if len(r.text)+n > 1024 {
		r.out.Write(r.text)
		r.text = r.text[:0]
	}
}

func (r *roll) Add(s string) {
	r.room(len(s))
	r.text = append(r.text, s...)
}

func (r *roll) Free() {
	r.out = nil
	rolls.Put(r)
}

// The text goes with who asked for it.
type letter struct{ text []byte }

var letters = sync.Pool{New: func() any { return new(letter) }}

func NewLetter() *letter { return letters.Get().(*letter) }

func (l *letter) Add(s string) { l.text = append(l.text, s...) }

func (l *letter) Text() []byte {
	text := l.text
	l.text = nil
	letters.Put(l)
	return text
}

// Names and numbers of the program's own.
type stamp struct{ text []byte }

var stamps = sync.Pool{New: func() any { return new(stamp) }}

func NewStamp() *stamp {
	s := stamps.Get().(*stamp)
	s.text = s.text[:0]
	return s
}

func (s *stamp) word(w string) { s.text = append(s.text, w...) }

func (s *stamp) Date(y, m, d int) *stamp {
	s.text = strconv.AppendInt(s.text, int64(y), 10)
	s.word(" year ")
	s.text = strconv.AppendInt(s.text, int64(m), 10)
	s.word(" month ")
	s.text = strconv.AppendInt(s.text, int64(d), 10)
	return s
}

func (s *stamp) Free() { stamps.Put(s) }

// A name is set, and not added to.
type badge struct{ name []byte }

var badges = sync.Pool{New: func() any { return new(badge) }}

func NewBadge() *badge { return badges.Get().(*badge) }

func (b *badge) SetName(name string) { b.name = append(b.name[:0], name...) }

func (b *badge) Free() {
	b.name = b.name[:0]
	badges.Put(b)
}
