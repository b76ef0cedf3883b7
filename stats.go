// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"iter"
	"maps"
	"slices"
	"sync"
	"weak"

	"github.com/spare-go/spare/internal/magazine"
)

// Stats says what a pool did since its first use, and what it holds. The
// counters are kept for each P and added up when asked for: they are exact
// while nobody uses the pool, and may lag by the operations under way
// otherwise. Counters never decrease.
//
// The share of Gets that found a value is 1 - News/Gets. Every value that was put
// has gone one way: Puts = (Gets - News) + Drops + Idle.
type Stats struct {
	Gets  uint64 // calls of Get
	News  uint64 // Gets that found no value
	Puts  uint64 // calls of Put, other than of nil
	Drops uint64 // values let go: refused, trimmed or drained

	Idle      int64 // values held
	IdleBytes int64 // bytes that they hold, by Pool.Size
}

// A counter is the part of a pool that All asks.
type counter interface{ Stats() magazine.Stats }

// named lists the pools that have a name, without keeping them alive.
var named struct {
	sync.Mutex
	pools map[string][]func() (magazine.Stats, bool)
}

// register lists a pool under a name.
func register[P any, C interface {
	*P
	counter
}](name string, pool C) {
	ref := weak.Make((*P)(pool))
	named.Lock()
	defer named.Unlock()
	if named.pools == nil {
		named.pools = make(map[string][]func() (magazine.Stats, bool))
	}
	named.pools[name] = append(alive(named.pools[name]), func() (magazine.Stats, bool) {
		p := ref.Value()
		if p == nil {
			return magazine.Stats{}, false
		}
		return C(p).Stats(), true
	})
}

// alive returns the entries whose pools exist.
func alive(pools []func() (magazine.Stats, bool)) []func() (magazine.Stats, bool) {
	return slices.DeleteFunc(pools, func(stats func() (magazine.Stats, bool)) bool {
		_, ok := stats()
		return !ok
	})
}

// All returns the names of all pools that have one and were used, in order,
// with their Stats. Pools with the same name are added up. A pool that was
// collected is gone from the list, and its counts with it.
func All() iter.Seq2[string, Stats] {
	return func(yield func(string, Stats) bool) {
		named.Lock()
		sums := make(map[string]Stats, len(named.pools))
		for name, pools := range named.pools {
			var sum magazine.Stats
			found := false
			for _, stats := range pools {
				if s, ok := stats(); ok {
					sum.Add(s)
					found = true
				}
			}
			if found {
				sums[name] = Stats(sum)
			} else {
				delete(named.pools, name)
			}
		}
		named.Unlock()
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			if !yield(name, sums[name]) {
				return
			}
		}
	}
}
