// SPDX-License-Identifier: BSD-3-Clause

package fields

import "sync"

// A list that is lengthened with zeros has nothing of its user's for that.

type hitList struct {
	hits    []uint64
	touched []int32
}

var hitLists = sync.Pool{New: func() any { return new(hitList) }}

func lengthened[T any](s []T, n int) []T {
	if len(s) >= n {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

func (r *hitList) grow(n int) { r.hits = lengthened(r.hits, (n+63)/64) }

func (r *hitList) reset() {
	for _, w := range r.touched {
		r.hits[w] = 0
	}
	r.touched = r.touched[:0]
}

func (r *hitList) add(id int) {
	w, bit := id>>6, uint64(1)<<(uint(id)&63)
	if r.hits[w] == 0 {
		r.touched = append(r.touched, int32(w))
	}
	r.hits[w] |= bit
}

func hitSum(n int, ids []int) (sum uint64) {
	r := hitLists.Get().(*hitList)
	defer func() {
		r.reset()
		if cap(r.hits) <= 1<<10 {
			hitLists.Put(r)
		}
	}()
	r.grow(n)
	for _, id := range ids {
		r.add(id)
	}
	for _, w := range r.touched {
		sum += r.hits[w]
	}
	return sum
}

// What is appended here is the user's.

type gathered struct{ ids []int }

var gatherings = sync.Pool{New: func() any { return new(gathered) }}

func gatherIDs(n int, use func([]int)) {
	g := gatherings.Get().(*gathered)
	defer gatherings.Put(g) // want `keeps g, put at line 66, whatever its size`
	more := make([]int, 1)
	more[0] = n
	g.ids = append(g.ids, more...) // want `field ids of g, taken from gatherings at line 65, is appended to as the last user left it`
	use(g.ids)
}
