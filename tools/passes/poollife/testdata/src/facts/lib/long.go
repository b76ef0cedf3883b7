package lib

import "sync"

// An Event has a method with more ways through it than are followed.
type Event struct {
	a [32]int
	n int
}

var events = sync.Pool{New: func() any { return new(Event) }}

func NewEvent() *Event {
	e := events.Get().(*Event)
	*e = Event{}
	return e
}

func (e *Event) Count(n int) *Event {
	e.n += n
	return e
}

func (e *Event) Send() {
	if probe(0) {
		e.a[0] = step(0)
	}
	if probe(1) {
		e.a[1] = step(1)
	}
	if probe(2) {
		e.a[2] = step(2)
	}
	if probe(3) {
		e.a[3] = step(3)
	}
	if probe(4) {
		e.a[4] = step(4)
	}
	if probe(5) {
		e.a[5] = step(5)
	}
	if probe(6) {
		e.a[6] = step(6)
	}
	if probe(7) {
		e.a[7] = step(7)
	}
	if probe(8) {
		e.a[8] = step(8)
	}
	if probe(9) {
		e.a[9] = step(9)
	}
	if probe(10) {
		e.a[10] = step(10)
	}
	if probe(11) {
		e.a[11] = step(11)
	}
	if probe(12) {
		e.a[12] = step(12)
	}
	if probe(13) {
		e.a[13] = step(13)
	}
	if probe(14) {
		e.a[14] = step(14)
	}
	if probe(15) {
		e.a[15] = step(15)
	}
	if probe(16) {
		e.a[16] = step(16)
	}
	if probe(17) {
		e.a[17] = step(17)
	}
	if probe(18) {
		e.a[18] = step(18)
	}
	if probe(19) {
		e.a[19] = step(19)
	}
	if probe(20) {
		e.a[20] = step(20)
	}
	if probe(21) {
		e.a[21] = step(21)
	}
	if probe(22) {
		e.a[22] = step(22)
	}
	if probe(23) {
		e.a[23] = step(23)
	}
	events.Put(e)
}

func probe(i int) bool
func step(i int) int

// Drop is short, and puts nothing.
func (e *Event) Drop() { e.n = 0 }
