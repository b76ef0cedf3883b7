// SPDX-License-Identifier: BSD-3-Clause

package outgrown

import "sync"

// A cleared map keeps its buckets.
type walk struct {
	seen  map[string]bool
	found int
}

var walks = sync.Pool{New: func() any { return &walk{seen: map[string]bool{}} }}

func distinct(words []string) int {
	w := walks.Get().(*walk)
	for _, s := range words {
		w.seen[s] = true
	}
	n := len(w.seen)
	clear(w.seen)
	walks.Put(w) // want `walks keeps w, put at line 22, whatever its size`
	return n
}

// Recursion is a loop as well.
type visit struct{ seen map[int]struct{} }

var visits = sync.Pool{New: func() any { return &visit{seen: map[int]struct{}{}} }}

func (v *visit) from(n int, edges map[int][]int) {
	if _, ok := v.seen[n]; ok {
		return
	}
	v.seen[n] = struct{}{}
	for _, m := range edges[n] {
		v.from(m, edges)
	}
}

func reachable(n int, edges map[int][]int) int {
	v := visits.Get().(*visit)
	defer func() {
		clear(v.seen)
		visits.Put(v) // want `visits keeps v, put at line 45, whatever its size`
	}()
	v.from(n, edges)
	return len(v.seen)
}

// Above a limit it is dropped.
type tally struct{ counts map[string]int }

var tallies = sync.Pool{New: func() any { return &tally{counts: map[string]int{}} }}

func mostFrequent(words []string) (best string) {
	t := tallies.Get().(*tally)
	for _, s := range words {
		t.counts[s]++
		if t.counts[s] > t.counts[best] {
			best = s
		}
	}
	if len(t.counts) > 1000 {
		return best
	}
	clear(t.counts)
	tallies.Put(t)
	return best
}

// There are 256 keys.
type histogram struct{ of map[byte]int }

var histograms = sync.Pool{New: func() any { return &histogram{of: map[byte]int{}} }}

func commonest(b []byte) (best byte) {
	h := histograms.Get().(*histogram)
	for _, c := range b {
		h.of[c]++
		if h.of[c] > h.of[best] {
			best = c
		}
	}
	clear(h.of)
	histograms.Put(h)
	return best
}
