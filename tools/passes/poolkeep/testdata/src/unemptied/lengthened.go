package unemptied

import (
	"slices"
	"sync"
)

// Slices that are given a length by a function: what they have room for is what it was.

// fit sets the length, and makes room where there is none.
func fit(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	return s[:n]
}

type votes struct{ perParty []int }

var votesPool = sync.Pool{New: func() any { return new(votes) }}

func takeVotes(parties int) *votes {
	v := votesPool.Get().(*votes)
	v.perParty = fit(v.perParty, parties)
	return v
}

func winner(ballots []int, parties int) (best int) {
	v := takeVotes(parties)
	for _, b := range ballots {
		v.perParty[b]++
	}
	for p, n := range v.perParty {
		if n > v.perParty[best] {
			best = p
		}
	}
	if cap(v.perParty) < 1<<10 {
		votesPool.Put(v) // want `the elements of field perParty of the pooled votes are added to .* and never cleared`
	}
	return best
}

// The zeros go behind what there is room for, and the elements are added to by a function.

type heat struct{ cells []uint32 }

var heats = sync.Pool{New: func() any { return new(heat) }}

func lengthen[T any](s []T, n int) []T {
	if more := n - cap(s); more > 0 {
		s = append(s[:cap(s)], make([]T, more)...)
	}
	return s[:n]
}

func warm(cells []uint32, at []int, by uint32) {
	for _, k := range at {
		cells[k] += by
	}
}

func hottest(at []int, n int) uint32 {
	h := heats.Get().(*heat)
	h.cells = lengthen(h.cells, n)
	warm(h.cells, at, 2)
	top := slices.Clone(h.cells)
	slices.Sort(top)
	if cap(h.cells) < 1<<10 {
		heats.Put(h) // want `the elements of field cells of the pooled heat are added to .* and never cleared`
	}
	return top[n-1]
}

// The same in place.

type passed struct{ doors []uint16 }

var passedPool = sync.Pool{New: func() any { return new(passed) }}

func throughDoor(log []int, n, door int) uint16 {
	p := passedPool.Get().(*passed)
	p.doors = slices.Grow(p.doors, n)
	p.doors = p.doors[:n]
	for _, d := range log {
		p.doors[d]++
	}
	out := p.doors[door]
	if cap(p.doors) < 1<<10 {
		passedPool.Put(p) // want `the elements of field doors of the pooled passed are added to .* and never cleared`
	}
	return out
}

// The function clears what it gives a length.

type clearedVotes struct{ perParty []int }

var clearedPool = sync.Pool{New: func() any { return new(clearedVotes) }}

func fitCleared(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func countCleared(ballots []int, parties, p int) int {
	v := clearedPool.Get().(*clearedVotes)
	v.perParty = fitCleared(v.perParty, parties)
	for _, b := range ballots {
		v.perParty[b]++
	}
	sum := v.perParty[p]
	if cap(v.perParty) < 1<<10 {
		clearedPool.Put(v)
	}
	return sum
}

// The user clears.

type userClears struct{ perParty []int }

var userClearsPool = sync.Pool{New: func() any { return new(userClears) }}

func countHere(ballots []int, parties, p int) int {
	v := userClearsPool.Get().(*userClears)
	v.perParty = fit(v.perParty, parties)
	n := v.perParty
	for k := range n {
		n[k] = 0
	}
	for _, b := range ballots {
		n[b]++
	}
	sum := n[p]
	if cap(v.perParty) < 1<<10 {
		userClearsPool.Put(v)
	}
	return sum
}

// Whoever is done takes back what was added.

type takenBack struct{ perParty []int }

var takenBackPool = sync.Pool{New: func() any { return new(takenBack) }}

func countBack(ballots []int, parties, p int) int {
	v := takenBackPool.Get().(*takenBack)
	v.perParty = fit(v.perParty, parties)
	for _, b := range ballots {
		v.perParty[b]++
	}
	n := v.perParty[p]
	for _, b := range ballots {
		v.perParty[b]--
	}
	if cap(v.perParty) < 1<<10 {
		takenBackPool.Put(v)
	}
	return n
}

// A new slice each time.

type newEach struct{ perParty []int }

var newEachPool = sync.Pool{New: func() any { return new(newEach) }}

func countNew(ballots []int, p int) int {
	v := newEachPool.Get().(*newEach)
	v.perParty = make([]int, 16)
	for _, b := range ballots {
		v.perParty[b]++
	}
	n := v.perParty[p]
	if cap(v.perParty) < 1<<10 {
		newEachPool.Put(v)
	}
	return n
}

// One that a function makes anew.

func zeros(n int) []int { return make([]int, n) }

type newBy struct{ perParty []int }

var newByPool = sync.Pool{New: func() any { return new(newBy) }}

func countNewBy(ballots []int, parties, p int) int {
	v := newByPool.Get().(*newBy)
	v.perParty = zeros(parties)
	for _, b := range ballots {
		v.perParty[b]++
	}
	n := v.perParty[p]
	if cap(v.perParty) < 1<<10 {
		newByPool.Put(v)
	}
	return n
}

// Zeros are appended from the start on.

type fromStart struct{ perParty []int }

var fromStartPool = sync.Pool{New: func() any { return new(fromStart) }}

func fromZero(s []int, n int) []int { return append(s[:0], make([]int, n)...) }

func countFromStart(ballots []int, parties, p int) int {
	v := fromStartPool.Get().(*fromStart)
	v.perParty = fromZero(v.perParty, parties)
	for _, b := range ballots {
		v.perParty[b]++
	}
	n := v.perParty[p]
	if cap(v.perParty) < 1<<10 {
		fromStartPool.Put(v)
	}
	return n
}

// What the function does with the slice is not in view.

type sorted struct{ perParty []int }

var sortedPool = sync.Pool{New: func() any { return new(sorted) }}

func countSorted(ballots []int, parties int, undo func([]int)) int {
	v := sortedPool.Get().(*sorted)
	v.perParty = fit(v.perParty, parties)
	for _, b := range ballots {
		v.perParty[b]++
	}
	n := v.perParty[0]
	undo(v.perParty)
	if cap(v.perParty) < 1<<10 {
		sortedPool.Put(v)
	}
	return n
}

// Another package may clear what it has a name for.

type Shares struct{ Of []int }

var sharesPool = sync.Pool{New: func() any { return new(Shares) }}

func TakeShares(n int) *Shares {
	s := sharesPool.Get().(*Shares)
	s.Of = fit(s.Of, n)
	return s
}

func (s *Shares) Add(k int) { s.Of[k]++ }

func (s *Shares) Release() {
	if cap(s.Of) < 1<<10 {
		sharesPool.Put(s)
	}
}
