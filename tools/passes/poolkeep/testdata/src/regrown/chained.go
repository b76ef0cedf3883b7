package regrown

import (
	"strconv"
	"sync"
)

// Methods that return their receiver, for the next call: each adds a little, as often as callers like.

var listPool = sync.Pool{New: func() any { return &List{buf: make([]byte, 0, 500)} }}

type List struct{ buf []byte }

func NewList() *List {
	l := listPool.Get().(*List)
	l.buf = l.buf[:0]
	return l
}

func (l *List) Int(n int) *List {
	if len(l.buf) > 0 {
		l.buf = append(l.buf, ',')
	}
	l.buf = strconv.AppendInt(l.buf, int64(n), 10)
	return l
}

func (l *List) AppendTo(dst []byte) []byte {
	dst = append(dst, '[')
	dst = append(dst, l.buf...)
	listPool.Put(l) // want `l, the pooled List, keeps buf of any size`
	return append(dst, ']')
}

var limitedListPool = sync.Pool{New: func() any { return &LimitedList{buf: make([]byte, 0, 500)} }}

type LimitedList struct{ buf []byte }

func NewLimitedList() *LimitedList {
	l := limitedListPool.Get().(*LimitedList)
	l.buf = l.buf[:0]
	return l
}

func (l *LimitedList) Int(n int) *LimitedList {
	l.buf = append(strconv.AppendInt(l.buf, int64(n), 10), ',')
	return l
}

func (l *LimitedList) AppendTo(dst []byte) []byte {
	dst = append(dst, l.buf...)
	if cap(l.buf) <= 1<<16 {
		limitedListPool.Put(l)
	}
	return dst
}

// One number in each: what is set replaces what was there.
var numberPool = sync.Pool{New: func() any { return new(Number) }}

type Number struct{ buf []byte }

func NewNumber() *Number { return numberPool.Get().(*Number) }

func (x *Number) Int(n int) *Number {
	x.buf = strconv.AppendInt(x.buf[:0], int64(n), 10)
	return x
}

func (x *Number) AppendTo(dst []byte) []byte {
	dst = append(dst, x.buf...)
	numberPool.Put(x)
	return dst
}
