// SPDX-License-Identifier: BSD-3-Clause

package elsewhere

import (
	"io"
	"sync"
)

type sample struct{ b []byte }

var samples = sync.Pool{New: func() any { return new(sample) }}

type window struct {
	at   [32]*sample
	next int
}

func (w *window) store(n int, b []byte) {
	s := samples.Get().(*sample)
	s.b = append(s.b[:0], b...)
	if old := w.at[n%len(w.at)]; old != nil {
		samples.Put(old) // want `take leaves what it takes in at, and play puts it`
	}
	w.at[n%len(w.at)] = s
}

func (w *window) take() *sample {
	s := w.at[w.next%len(w.at)]
	if s != nil {
		w.next++
	}
	return s
}

func (w *window) play(out io.Writer) {
	for s := w.take(); s != nil; s = w.take() {
		out.Write(s.b)
		samples.Put(s)
	}
}

// The same, with the slot cleared by who takes.
type rightWindow struct {
	at   [32]*sample
	next int
}

func (w *rightWindow) store(n int, b []byte) {
	s := samples.Get().(*sample)
	s.b = append(s.b[:0], b...)
	if old := w.at[n%len(w.at)]; old != nil {
		samples.Put(old)
	}
	w.at[n%len(w.at)] = s
}

func (w *rightWindow) take() *sample {
	n := w.next % len(w.at)
	s := w.at[n]
	if s != nil {
		w.at[n] = nil
		w.next++
	}
	return s
}

func (w *rightWindow) play(out io.Writer) {
	for s := w.take(); s != nil; s = w.take() {
		out.Write(s.b)
		samples.Put(s)
	}
}

// Who takes puts as well.
type tray struct {
	slots []*sample
	head  int
	tail  int
}

func (t *tray) push(b []byte) {
	i := t.tail % len(t.slots)
	if t.slots[i] != nil {
		samples.Put(t.slots[i]) // want `pop leaves what it takes in slots, and puts it`
	}
	s := samples.Get().(*sample)
	s.b = append(s.b[:0], b...)
	t.slots[i] = s
	t.tail++
}

func (t *tray) pop(f func([]byte)) {
	if t.head == t.tail {
		return
	}
	s := t.slots[t.head%len(t.slots)]
	t.head++
	f(s.b)
	samples.Put(s)
}

// Positions tell what is in the ring: slots need not be cleared.
type counted struct {
	slots      []*sample
	head, tail int
}

func (t *counted) push(s *sample) {
	t.slots[t.tail%len(t.slots)] = s
	t.tail++
}

func (t *counted) pop(f func([]byte)) {
	s := t.slots[t.head%len(t.slots)]
	t.head++
	f(s.b)
	samples.Put(s)
}

func (t *counted) close() {
	for ; t.head != t.tail; t.head++ {
		samples.Put(t.slots[t.head%len(t.slots)])
	}
}
