// SPDX-License-Identifier: BSD-3-Clause

package heldover

import "sync"

// Wrong: where a word was last is looked up in a table that others used.

var lastPool = sync.Pool{New: func() any { return make([]int32, 1<<10) }}

func slot(b byte, c byte) int { return int(b)<<2 ^ int(c) }

func gaps(text []byte, emit func(at, gap int)) {
	last := lastPool.Get().([]int32)
	defer lastPool.Put(last)
	for i := 1; i < len(text); i++ {
		h := slot(text[i-1], text[i])
		was := last[h] // want `an element of the table from lastPool is read before it is set`
		last[h] = int32(i)
		if was > 0 {
			emit(i, i-int(was))
		}
	}
}

// Wrong: an array, counted in by a helper.

var tallies = sync.Pool{New: func() any { return new([256]int) }}

func tally(t *[256]int, text []byte) {
	for _, c := range text {
		t[c]++ // want `an element of the table from tallies is read before it is set`
	}
}

func commonest(text []byte) (most byte) {
	t := tallies.Get().(*[256]int)
	tally(t, text)
	for c, n := range t {
		if n > t[most] {
			most = byte(c)
		}
	}
	tallies.Put(t)
	return most
}

// Right: cleared where it is put.

var clearedPool = sync.Pool{New: func() any { return make([]int32, 1<<10) }}

func putCleared(t []int32) {
	clear(t)
	clearedPool.Put(t)
}

func gapsCleared(text []byte, emit func(at, gap int)) {
	last := clearedPool.Get().([]int32)
	defer putCleared(last)
	for i := 1; i < len(text); i++ {
		h := slot(text[i-1], text[i])
		was := last[h]
		last[h] = int32(i)
		if was > 0 {
			emit(i, i-int(was))
		}
	}
}

// Right: what was set is set back.

var undonePool = sync.Pool{New: func() any { return make([]int32, 256) }}

func repeats(text []byte) (n int) {
	seen := undonePool.Get().([]int32)
	for i, c := range text {
		was := seen[c]
		seen[c] = int32(i + 1)
		n += int(min(was, 1))
	}
	for _, c := range text {
		seen[c] = 0
	}
	undonePool.Put(seen)
	return n
}

// Right: each use has a number of its own, and what has another one counts for nothing.

var markPool = sync.Pool{New: func() any { return make([]uint64, 256) }}

type marker struct{ round uint64 }

func (m *marker) distinct(text []byte) (n int) {
	m.round++
	marks := markPool.Get().([]uint64)
	for _, c := range text {
		was := marks[c]
		marks[c] = m.round
		if was < m.round {
			n++
		}
	}
	markPool.Put(marks)
	return n
}

// Right: the same for all who ask.

var squaresPool = sync.Pool{New: func() any { return make([]int, 1<<8) }}

func squares(text []byte) (sum int) {
	memo := squaresPool.Get().([]int)
	for _, c := range text {
		n := memo[c]
		if n == 0 {
			n = square(int(c))
		}
		memo[c] = n
		sum += n
	}
	squaresPool.Put(memo)
	return sum
}

func square(n int) int { return n * n }

// Right: other fields tell which elements count.

type table struct{ used [4]uint64 }

var placesPool = sync.Pool{New: func() any { return make([]int, 256) }}

func (t *table) places(text []byte) (sum int) {
	clear(t.used[:])
	places := placesPool.Get().([]int)
	for i, c := range text {
		if t.used[c/64]&(1<<(c%64)) != 0 {
			sum += i - places[c]
		}
		t.used[c/64] |= 1 << (c % 64)
		places[c] = i
	}
	placesPool.Put(places)
	return sum
}

// Right: filled first.

var orderPool = sync.Pool{New: func() any { return make([]int, 64) }}

func order(keys []string) (first int) {
	o := orderPool.Get().([]int)[:len(keys)]
	for i := range o {
		o[i] = i
	}
	for i := 1; i < len(o); i++ {
		if a, b := o[i-1], o[i]; keys[b] < keys[a] {
			o[i-1], o[i] = b, a
		}
	}
	first = o[0]
	orderPool.Put(o)
	return first
}
