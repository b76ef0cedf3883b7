// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import "sync"

// Scanners of shelves, which a visit keeps by the number of the shelf.

type shelfScan struct {
	of  *stockShelf
	key []byte
}

type stockShelf struct {
	at    map[string]int
	scans sync.Pool
}

func newStockShelf(at map[string]int) *stockShelf {
	s := &stockShelf{at: at}
	s.scans.New = func() any { return &shelfScan{of: s} }
	return s
}

func (s *stockShelf) scan() *shelfScan { return s.scans.Get().(*shelfScan) }

func (x *shelfScan) find(key string) (int, bool) {
	x.key = append(x.key[:0], key...)
	n, ok := x.of.at[string(x.key)]
	return n, ok
}

func (x *shelfScan) done() { x.of.scans.Put(x) }

type aisle struct{ shelf *stockShelf }

// Wrong: nobody puts what the visit took.
type visit struct {
	aisles []*aisle
	scans1 []*shelfScan
}

func (v *visit) scanOf(n int) *shelfScan {
	if v.scans1 == nil {
		v.scans1 = make([]*shelfScan, len(v.aisles))
	}
	x := v.scans1[n]
	if x == nil {
		x = v.aisles[n].shelf.scan()
		v.scans1[n] = x
	}
	return x
}

func (v *visit) Find(key string) int {
	for n := range v.aisles {
		if at, ok := v.scanOf(n).find(key); ok {
			return at
		}
	}
	return -1
}

func (v *visit) Close() { // want `Close leaves what is in scans1`
	v.aisles = nil
}

// Wrong: the same by name, in a map.
type visitByName struct {
	aisles map[string]*aisle
	scans2 map[string]*shelfScan
}

func newVisitByName(aisles map[string]*aisle) *visitByName {
	return &visitByName{aisles: aisles, scans2: map[string]*shelfScan{}}
}

func (v *visitByName) Find(name, key string) int {
	x, ok := v.scans2[name]
	if !ok {
		x = v.aisles[name].shelf.scan()
		v.scans2[name] = x
	}
	at, _ := x.find(key)
	return at
}

func (v *visitByName) Close() error { // want `Close leaves what is in scans2`
	v.aisles = nil
	return nil
}

// Right: the end puts them.
type visit3 struct {
	aisles []*aisle
	scans3 []*shelfScan
}

func (v *visit3) Find(n int, key string) int {
	if v.scans3 == nil {
		v.scans3 = make([]*shelfScan, len(v.aisles))
	}
	x := v.scans3[n]
	if x == nil {
		x = v.aisles[n].shelf.scan()
		v.scans3[n] = x
	}
	at, _ := x.find(key)
	return at
}

func (v *visit3) Close() {
	for _, x := range v.scans3 {
		if x != nil {
			x.done()
		}
	}
	v.scans3 = nil
}

// Right: who asked for one has it, and may be done with it.
type visit4 struct {
	aisles []*aisle
	scans4 []*shelfScan
}

func (v *visit4) Scan(n int) *shelfScan {
	if v.scans4 == nil {
		v.scans4 = make([]*shelfScan, len(v.aisles))
	}
	if v.scans4[n] == nil {
		v.scans4[n] = v.aisles[n].shelf.scan()
	}
	return v.scans4[n]
}

func (v *visit4) Close() { v.aisles = nil }

// Right: the end gives them to others, which put them.
type closer interface{ done() }

type visit5 struct {
	aisles []*aisle
	scans5 []*shelfScan
	ends   chan closer
}

func (v *visit5) Find(n int, key string) int {
	if v.scans5[n] == nil {
		v.scans5[n] = v.aisles[n].shelf.scan()
	}
	at, _ := v.scans5[n].find(key)
	return at
}

func (v *visit5) Close() {
	for _, x := range v.scans5 {
		v.ends <- x
	}
}

// Right: the visit itself goes to a pool, with its scanners.
type visit6 struct {
	aisles []*aisle
	scans6 []*shelfScan
}

var visits6 = sync.Pool{New: func() any { return &visit6{scans6: make([]*shelfScan, 8)} }}

func (v *visit6) Find(n int, key string) int {
	if v.scans6[n] == nil {
		v.scans6[n] = v.aisles[n].shelf.scan()
	}
	at, _ := v.scans6[n].find(key)
	return at
}

func (v *visit6) Close() {
	v.aisles = nil
	visits6.Put(v)
}

// Right: the pool is the visit's own, and goes with it.
type visit7 struct {
	at     map[string]int
	own    sync.Pool
	scans7 []*shelfScan
}

func (v *visit7) Find(n int, key string) int {
	if v.scans7[n] == nil {
		x, ok := v.own.Get().(*shelfScan)
		if !ok {
			x = &shelfScan{}
		}
		v.scans7[n] = x
	}
	v.scans7[n].key = append(v.scans7[n].key[:0], key...)
	return v.at[string(v.scans7[n].key)]
}

func (v *visit7) drop(x *shelfScan) { v.own.Put(x) }

func (v *visit7) Close() { v.at = nil }
