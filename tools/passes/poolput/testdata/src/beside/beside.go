// SPDX-License-Identifier: BSD-3-Clause

package beside

import "sync"

// A variable of a struct with several pools.

type point struct{ x, y int }

type line struct{ from, to point }

type poolSet struct {
	fresh sync.Pool
	stale sync.Pool
	lines sync.Pool
}

var set = &poolSet{
	fresh: sync.Pool{New: func() any { return new(point) }},
	stale: sync.Pool{New: func() any { return new(point) }},
	lines: sync.Pool{New: func() any { return new(line) }},
}

func ofFresh(x, y int) int {
	p := set.fresh.Get().(*point)
	defer set.fresh.Put(p)
	p.x, p.y = x, y
	return p.x * p.y
}

func ofStale(x, y int) int {
	p := set.stale.Get().(*point)
	p.x, p.y = x, y
	n := p.x + p.y
	set.stale.Put(p)
	return n
}

func ofBoth(x, y int) int {
	p := set.fresh.Get().(*point)
	p.x, p.y = x, y
	n := p.x - p.y
	set.stale.Put(p) // want `p was taken from fresh but is put in stale`
	return n
}

func ofLines(x, y int) int {
	l := set.lines.Get().(*line)
	defer set.lines.Put(l)
	l.from, l.to = point{x, y}, point{y, x}
	return l.from.x + l.to.x
}

func ofPointsAndLines(x, y int) int {
	p := set.fresh.Get().(*point)
	p.x, p.y = x, y
	l := set.lines.Get().(*line)
	l.from, l.to = *p, point{}
	n := l.from.x
	set.fresh.Put(p)
	set.lines.Put(l)
	return n
}

// A struct with one pool is that pool by the name of its variable.

type onePool struct {
	name string
	pool sync.Pool
}

var (
	near = &onePool{name: "near", pool: sync.Pool{New: func() any { return new(point) }}}
	far  = &onePool{name: "far", pool: sync.Pool{New: func() any { return new(point) }}}
)

func ofNear(x, y int) int {
	p := near.pool.Get().(*point)
	p.x, p.y = x, y
	n := p.x * p.y
	far.pool.Put(p) // want `p was taken from near but is put in far`
	return n
}

func ofFar(x, y int) int {
	p := far.pool.Get().(*point)
	p.x, p.y = x, y
	n := p.x * p.y
	far.pool.Put(p)
	return n
}
