// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import "sync"

type hops struct{ ids []int }

type trail struct {
	hops *hops
	cost int
}

type node struct {
	id    int
	trail trail
}

var hopsPool = sync.Pool{New: func() any { return new(hops) }}

func best(next func() *node, want int) (found []trail) {
	for {
		n := next()
		if n == nil {
			return found // want `memory of n.trail.hops is returned after it was put`
		}
		if n.id == want {
			found = append(found, n.trail)
		}
		hopsPool.Put(n.trail.hops)
	}
}

func bestCopied(next func() *node, want int) (found []trail) {
	for {
		n := next()
		if n == nil {
			return found
		}
		if n.id == want {
			t := n.trail
			t.hops = &hops{ids: append([]int(nil), t.hops.ids...)}
			found = append(found, t)
		}
		hopsPool.Put(n.trail.hops)
	}
}

func bestKept(next func() *node, want int) (found []trail) {
	for {
		n := next()
		if n == nil {
			return found
		}
		if n.id == want {
			found = append(found, n.trail)
			continue
		}
		hopsPool.Put(n.trail.hops)
	}
}

func bestTaken(next func() *node, want int) (found []trail) {
	for {
		n := next()
		if n == nil {
			return found
		}
		if n.id == want {
			found = append(found, n.trail)
			n.trail.hops = new(hops)
		}
		hopsPool.Put(n.trail.hops)
	}
}

func none(ns []*node) []trail {
	var all []trail
	for _, n := range ns {
		all = append(all, n.trail)
	}
	for _, t := range all {
		hopsPool.Put(t.hops)
	}
	return all[:0]
}
