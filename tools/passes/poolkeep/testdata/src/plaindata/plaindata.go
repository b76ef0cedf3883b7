package plaindata

import "sync"

type point struct {
	t int64
	v float64
}

// Wrong: as many points as there are.
type points struct{ list []point }

var lists = sync.Pool{New: func() any { return new(points) }}

func sum(next func() (point, bool)) (s float64) {
	p := lists.Get().(*points)
	p.list = p.list[:0]
	for {
		x, ok := next()
		if !ok {
			break
		}
		p.list = append(p.list, x)
	}
	for _, x := range p.list {
		s += x.v
	}
	lists.Put(p) // want `lists keeps values of any size`
	return s
}

// Right: large ones are dropped.
var bounded = sync.Pool{New: func() any { return new(points) }}

func sumBounded(next func() (point, bool)) (s float64) {
	p := bounded.Get().(*points)
	p.list = p.list[:0]
	for x, ok := next(); ok; x, ok = next() {
		p.list = append(p.list, x)
	}
	for _, x := range p.list {
		s += x.v
	}
	if cap(p.list) <= 4096 {
		bounded.Put(p)
	}
	return s
}

// Right: as many as there are days.
type week struct{ days [7]point }

var weeks = sync.Pool{New: func() any { return new(week) }}

func sumWeek(v [7]float64) (s float64) {
	w := weeks.Get().(*week)
	for i, x := range v {
		w.days[i] = point{int64(i), x}
	}
	for _, x := range w.days {
		s += x.v
	}
	weeks.Put(w)
	return s
}
