// SPDX-License-Identifier: BSD-3-Clause

package partly

import (
	"encoding/binary"
	"sync"
)

// Elements that are there already, beside new ones that are zero.

type stretch struct {
	from, to uint32
}

// fill sets what the message has.
func (s *stretch) fill(b []byte) {
	for ; len(b) >= 5; b = b[5:] {
		v := binary.LittleEndian.Uint32(b[1:])
		switch b[0] {
		case 1:
			s.from = v
		case 2:
			s.to = v
		}
	}
}

type sketch struct{ parts []stretch }

var sketches = sync.Pool{New: func() any { return new(sketch) }}

func (k *sketch) read(msgs [][]byte) {
	for _, m := range msgs {
		if len(k.parts) < cap(k.parts) {
			k.parts = k.parts[:len(k.parts)+1]
		} else {
			k.parts = append(k.parts, stretch{})
		}
		k.parts[len(k.parts)-1].fill(m) // want `fields from, to of the stretch in a slice that is used again are set only where they apply`
	}
}

func withSketch(msgs [][]byte, f func(*sketch)) {
	k := sketches.Get().(*sketch)
	k.read(msgs)
	f(k)
	k.parts = k.parts[:0]
	sketches.Put(k) // want `sketches keeps k, put at line 49, whatever its size`
}

// By a helper that gives pointers.

type lane struct {
	name string
	cost int
}

type road struct{ lanes []*lane }

func (r *road) next() *lane {
	n := len(r.lanes)
	if n < cap(r.lanes) {
		r.lanes = r.lanes[:n+1]
		if l := r.lanes[n]; l != nil {
			return l
		}
		r.lanes[n] = new(lane)
		return r.lanes[n]
	}
	r.lanes = append(r.lanes, new(lane))
	return r.lanes[n]
}

var roads = sync.Pool{New: func() any { return new(road) }}

func parseRoad(fields map[string]int, f func(*road)) {
	r := roads.Get().(*road)
	for k, v := range fields {
		l := r.next()
		if k != "" {
			l.name = k // want `fields name, cost of the lane in a slice that is used again are set only where they apply`
		}
		if v > 0 {
			l.cost = v
		}
	}
	f(r)
	r.lanes = r.lanes[:0]
	roads.Put(r)
}

// Emptied when they are taken.

type plank struct{ from, to uint32 }

func (s *plank) fill(b []byte) {
	for ; len(b) >= 5; b = b[5:] {
		v := binary.LittleEndian.Uint32(b[1:])
		switch b[0] {
		case 1:
			s.from = v
		case 2:
			s.to = v
		}
	}
}

func (s *plank) reset() { s.from, s.to = 0, 0 }

type deck struct{ planks []plank }

var decks = sync.Pool{New: func() any { return new(deck) }}

func withDeck(msgs [][]byte, f func(*deck)) {
	k := decks.Get().(*deck)
	for _, m := range msgs {
		if len(k.planks) < cap(k.planks) {
			k.planks = k.planks[:len(k.planks)+1]
		} else {
			k.planks = append(k.planks, plank{})
		}
		p := &k.planks[len(k.planks)-1]
		p.reset()
		p.fill(m)
	}
	f(k)
	k.planks = k.planks[:0]
	decks.Put(k) // want `decks keeps k, put at line 129, whatever its size`
}

// Emptied before they go.

type brick struct{ from, to uint32 }

func (s *brick) fill(b []byte) {
	for ; len(b) >= 5; b = b[5:] {
		v := binary.LittleEndian.Uint32(b[1:])
		switch b[0] {
		case 1:
			s.from = v
		case 2:
			s.to = v
		}
	}
}

type wall struct{ bricks []brick }

var walls = sync.Pool{New: func() any { return new(wall) }}

func withWall(msgs [][]byte, f func(*wall)) {
	k := walls.Get().(*wall)
	for _, m := range msgs {
		if len(k.bricks) < cap(k.bricks) {
			k.bricks = k.bricks[:len(k.bricks)+1]
		} else {
			k.bricks = append(k.bricks, brick{})
		}
		k.bricks[len(k.bricks)-1].fill(m)
	}
	f(k)
	clear(k.bricks)
	k.bricks = k.bricks[:0]
	walls.Put(k) // want `walls keeps k, put at line 165, whatever its size`
}

// All of it is set.

type tile struct{ from, to uint32 }

type roof struct{ tiles []tile }

var roofs = sync.Pool{New: func() any { return new(roof) }}

func withRoof(msgs [][]byte, f func(*roof)) {
	k := roofs.Get().(*roof)
	for _, m := range msgs {
		if len(k.tiles) < cap(k.tiles) {
			k.tiles = k.tiles[:len(k.tiles)+1]
		} else {
			k.tiles = append(k.tiles, tile{})
		}
		p := &k.tiles[len(k.tiles)-1]
		p.from = binary.LittleEndian.Uint32(m)
		p.to = p.from
		if len(m) > 4 {
			p.to = binary.LittleEndian.Uint32(m[4:])
		}
	}
	f(k)
	k.tiles = k.tiles[:0]
	roofs.Put(k) // want `roofs keeps k, put at line 193, whatever its size`
}
