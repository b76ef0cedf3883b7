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
// otherwise. They never decrease.
//
// The share of Gets that found a value is 1 - News/Gets. Every value that was put
// has gone one way: Puts = (Gets - News) + Drops + Idle. A Put whose Keep or Reset
// panics counts, as a Put and a Drop, if the pool has Drop or Size, and not at all
// otherwise.
type Stats struct {
	Gets  uint64 // calls of Get
	News  uint64 // Gets that found no value
	Puts  uint64 // calls of Put, other than of nil
	Drops uint64 // values let go: refused, trimmed or drained

	Idle      int64 // values held
	IdleBytes int64 // bytes that they hold, by Pool.Size

	// InUse is Gets less Puts: the values that are with users. A value that is never
	// put counts for ever, and one that a user put without a Get makes up for it.
	// InUseBytes is what they hold: of a Pool with Size, as much each as an idle value in the
	// mean; of a Slices, what Get handed out, without what append added since.
	InUse, InUseBytes int64

	// PeakInUse and PeakInUseBytes are the most of each that was seen. The pool looks
	// when it makes values, when it takes what other Ps put, after each collection and
	// in Stats, so that a peak may have been a sixteenth higher.
	PeakInUse, PeakInUseBytes int64
}

// Plus returns the sum of the stats of two pools, field by field. The peaks of the two need
// not have been at the same time: their sum is a bound.
func (s Stats) Plus(t Stats) Stats {
	sum := magazine.Stats(s)
	sum.Add(magazine.Stats(t))
	return Stats(sum)
}

// A counter is the part of a pool that All asks.
type counter interface{ Stats() magazine.Stats }

// named lists the pools that have a name, without keeping them alive.
var named struct {
	sync.Mutex
	pools map[string]*namesakes
	sweep int // the number of names at which to look for those that are gone
}

// namesakes are the pools of one name.
type namesakes struct {
	pools []entry
	sweep int // the length at which to look for pools that are gone
}

// forget removes the pools that are gone.
func (n *namesakes) forget() {
	n.pools = slices.DeleteFunc(n.pools, func(e entry) bool {
		_, ok := e.counter()
		return !ok
	})
}

// An entry refers weakly to a pool.
type entry interface {
	counter() (counter, bool) // false if the pool is gone
}

type weakly[P any, C interface {
	*P
	counter
}] struct{ ref weak.Pointer[P] }

func (w weakly[P, C]) counter() (counter, bool) {
	p := w.ref.Value()
	return C(p), p != nil
}

// register lists a pool under a name.
func register[P any, C interface {
	*P
	counter
}](name string, pool C) {
	named.Lock()
	defer named.Unlock()
	n := named.pools[name]
	if n == nil {
		if len(named.pools) >= named.sweep {
			// Not each time: each of many connections may have a pool, and a name.
			kept := make(map[string]*namesakes) // since deleting frees no room
			for name, n := range named.pools {
				if n.forget(); len(n.pools) > 0 {
					kept[name] = n
				}
			}
			named.pools = kept
			named.sweep = 2*len(named.pools) + 64
		}
		n = new(namesakes)
		named.pools[name] = n
	}
	if len(n.pools) >= n.sweep {
		n.forget()
		n.sweep = 2*len(n.pools) + 8
	}
	n.pools = append(n.pools, weakly[P, C]{weak.Make((*P)(pool))})
}

// All returns the names of all pools that have one and were used, in order,
// with their Stats. Pools with the same name are added up. A pool that was
// collected is gone from the list, and its counts with it.
func All() iter.Seq2[string, Stats] {
	return func(yield func(string, Stats) bool) {
		named.Lock()
		sums := make(map[string]Stats, len(named.pools))
		for name, n := range named.pools {
			var sum magazine.Stats
			n.pools = slices.DeleteFunc(n.pools, func(e entry) bool {
				c, ok := e.counter()
				if ok {
					sum.Add(c.Stats())
				}
				return !ok
			})
			if len(n.pools) > 0 {
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
