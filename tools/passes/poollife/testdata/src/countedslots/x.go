// SPDX-License-Identifier: BSD-3-Clause

// Package countedslots has pools that count in a channel what is out.
package countedslots

import (
	"bytes"
	"sync"
)

const most = 1 << 20

// Wrong: a large page goes nowhere, and its slot stays taken.

type page struct{ text []byte }

var (
	out   = make(chan struct{}, 64)
	pages = sync.Pool{New: func() any { return new(page) }}
)

func takePage() *page {
	out <- struct{}{}
	return pages.Get().(*page)
}

func givePage(p *page) {
	if cap(p.text) > most {
		return // want `p is dropped here with its slot`
	}
	p.text = p.text[:0]
	pages.Put(p)
	<-out
}

func render(text string) int {
	p := takePage()
	defer givePage(p)
	p.text = append(p.text, text...)
	return len(p.text)
}

// Wrong: the same, with tokens that are taken out, and a type around the pool.

type shop struct {
	tokens chan bool
	carts  sync.Pool
	most   int
}

func (s *shop) cart() *bytes.Buffer {
	<-s.tokens
	if b, ok := s.carts.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (s *shop) leave() { s.tokens <- true }

func (s *shop) back(b *bytes.Buffer) {
	s.leave()
	s.carts.Put(b)
}

func (s *shop) done(b *bytes.Buffer) {
	b.Reset()
	if b.Cap() <= s.most {
		s.back(b)
	}
} // want `b is dropped here with its slot`

func (s *shop) buy(text string) int {
	b := s.cart()
	b.WriteString(text)
	n := b.Len()
	s.done(b)
	return n
}

// Right: the slot goes back on every way.

func (s *shop) doneRight(b *bytes.Buffer) {
	if b.Cap() > s.most {
		s.leave()
		return
	}
	b.Reset()
	s.back(b)
}

func (s *shop) buyRight(text string) int {
	b := s.cart()
	b.WriteString(text)
	n := b.Len()
	s.doneRight(b)
	return n
}

// Right: large ones are made without a slot.

type sheet struct{ text []byte }

var (
	lent   = make(chan struct{}, 64)
	sheets = sync.Pool{New: func() any { return &sheet{make([]byte, 0, most)} }}
)

func takeSheet(n int) *sheet {
	if n > most {
		return &sheet{make([]byte, 0, n)}
	}
	lent <- struct{}{}
	return sheets.Get().(*sheet)
}

func giveSheet(s *sheet) {
	if cap(s.text) > most {
		return
	}
	s.text = s.text[:0]
	sheets.Put(s)
	<-lent
}

func printSheet(text string) int {
	s := takeSheet(len(text))
	defer giveSheet(s)
	s.text = append(s.text, text...)
	return len(s.text)
}

// Right: who keeps it says so, and gives it back later.

type roll struct{ text []byte }

var (
	rolling = make(chan struct{}, 64)
	rolls   = sync.Pool{New: func() any { return new(roll) }}
)

func takeRoll() *roll {
	rolling <- struct{}{}
	return rolls.Get().(*roll)
}

func giveRoll(r *roll, keep bool) {
	if keep {
		return
	}
	r.text = r.text[:0]
	rolls.Put(r)
	<-rolling
}

func unroll(text string, more bool) *roll {
	r := takeRoll()
	r.text = append(r.text, text...)
	giveRoll(r, more)
	if more {
		return r
	}
	return nil
}

// Right: the channel counts those who work, not what they have.

type scroll struct{ text []byte }

var (
	working = make(chan struct{}, 8)
	scrolls = sync.Pool{New: func() any { return new(scroll) }}
)

func giveScroll(s *scroll) {
	if cap(s.text) > most {
		return
	}
	s.text = s.text[:0]
	scrolls.Put(s)
}

func write(text string) int {
	working <- struct{}{}
	defer func() { <-working }()
	s := scrolls.Get().(*scroll)
	defer giveScroll(s)
	s.text = append(s.text, text...)
	return len(s.text)
}

// Wrong: what is counted beside it is something else.

var dropped int

func (s *shop) doneCounted(b *bytes.Buffer, loud bool) {
	if loud {
		dropped++
	}
	if b.Cap() > s.most {
		return // want `b is dropped here with its slot`
	}
	b.Reset()
	s.back(b)
}

// Right: who said so keeps it.
func (s *shop) doneLater(b *bytes.Buffer, later bool) {
	if !later && b.Cap() <= s.most {
		s.back(b)
		return
	}
	if !later {
		s.leave()
	}
}
