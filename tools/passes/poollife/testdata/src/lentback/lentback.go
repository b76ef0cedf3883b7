// Buffers that others fill or replace by their own.
package lentback

import (
	"io"
	"sync"
)

// A spring gives n bytes, in cup or in memory that it has.
type spring interface {
	draw(n int, cup []byte) ([]byte, error)
}

type tank struct{ water []byte }

func (t *tank) draw(n int, cup []byte) ([]byte, error) {
	if len(t.water) < n {
		return nil, io.EOF
	}
	w := t.water
	t.water = w[n:]
	return w[:n], nil
}

type brook struct{ r io.Reader }

func (b *brook) draw(n int, cup []byte) ([]byte, error) {
	for len(cup) < n {
		cup = append(cup, 0)
	}
	_, err := io.ReadFull(b.r, cup)
	return cup, err
}

// Wrong: a tank's water is the cup that a brook fills.
type guest struct {
	cup  []byte
	seen int
}

var guests = sync.Pool{New: func() any { return new(guest) }}

func (g *guest) drink(from spring, n int) (err error) {
	g.cup, err = from.draw(n, g.cup[:0]) // want `cup may have memory of others then \(line 22\), and is the buffer of the next call, which may read into it \(line 32\)`
	g.seen += len(g.cup)
	return err
}

func quench(from spring, n int) (int, error) {
	g := guests.Get().(*guest)
	defer guests.Put(g)
	g.seen = 0
	err := g.drink(from, n)
	return g.seen, err
}

// Right: the cup stays, and what was drawn is let go of.
type waiter struct {
	cup, drawn []byte
}

var waiters = sync.Pool{New: func() any { return &waiter{cup: make([]byte, 0, 64)} }}

func carry(from spring, n int, to io.Writer) (err error) {
	w := waiters.Get().(*waiter)
	defer func() {
		w.drawn = nil
		waiters.Put(w)
	}()
	if w.drawn, err = from.draw(n, w.cup[:0]); err != nil {
		return err
	}
	_, err = to.Write(w.drawn)
	return err
}

// Right: a mill only ever gives what it was given, grown or not.
type mill struct{ r io.Reader }

func (m *mill) grind(n int, sack []byte) ([]byte, error) {
	if cap(sack) < n {
		sack = append(sack[:0], make([]byte, n)...)
	}
	_, err := io.ReadFull(m.r, sack[:n])
	return sack[:n], err
}

type baker struct{ sack []byte }

var bakers = sync.Pool{New: func() any { return new(baker) }}

func bake(m *mill, n int) (int, error) {
	b := bakers.Get().(*baker)
	defer bakers.Put(b)
	var err error
	b.sack, err = m.grind(n, b.sack[:0])
	return len(b.sack), err
}
