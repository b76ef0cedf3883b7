package useafterput

import "sync"

type route struct {
	to   string
	hits int
}

// The map that goes back holds the route, which the next user finds.
var routesPool = sync.Pool{New: func() any { return map[string]*route{} }}

func routeTo(s string) *route {
	m := routesPool.Get().(map[string]*route)
	defer routesPool.Put(m)
	r, ok := m[s]
	if !ok {
		r = &route{to: s}
		m[s] = r
	}
	return r
}

func countRoute(s string) *route {
	r := routeTo(s)
	r.hits = 1 // want `written where it stays in the map after it was put in routesPool`
	return r
}

func readRoute(s string) string {
	return routeTo(s).to
}

// Written while the map is still out.
func countWithin(s string) {
	m := routesPool.Get().(map[string]*route)
	if r, ok := m[s]; ok {
		r.hits++
	}
	routesPool.Put(m)
}

type lane struct{ n int }

// The elements are taken out first.
var lanesPool = sync.Pool{New: func() any { return map[int]*lane{} }}

func firstLane(k int) *lane {
	m := lanesPool.Get().(map[int]*lane)
	fillLanes(m)
	l := m[k]
	for k := range m {
		delete(m, k)
	}
	lanesPool.Put(m)
	l.n++
	return l
}

func fillLanes(m map[int]*lane) {
	for k := range 4 {
		m[k] = &lane{k}
	}
}
