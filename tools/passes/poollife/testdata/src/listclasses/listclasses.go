// SPDX-License-Identifier: BSD-3-Clause

package listclasses // Lists by size are pools, whether in an array or a map.

import "sync"

// Lists by size, in an array.
type heap struct {
	mu   sync.Mutex
	free [4][][]byte
}

var sizes = [4]int{32, 128, 512, 2048}

func (h *heap) take(n int) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, s := range sizes {
		if n > s {
			continue
		}
		if list := h.free[k]; len(list) > 0 {
			b := list[len(list)-1]
			h.free[k] = list[:len(list)-1]
			return b[:n]
		}
		return make([]byte, n, s)
	}
	return make([]byte, n)
}

func (h *heap) give(b []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, s := range sizes {
		if cap(b) == s {
			h.free[k] = append(h.free[k], b[:0])
			return
		}
	}
}

func (h *heap) regrow(b []byte, n int) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	c := h.take(n)
	copy(c, b)
	h.give(b)
	return c
}

type column struct {
	data []byte
	n    int
}

// Wrong: regrow gives the old memory back itself, or goes on with it.
func (c *column) grow(h *heap, n int) {
	next := h.regrow(c.data, n)
	h.give(c.data) // want `put in the list free a second time`
	c.data = next
}

// Right: regrow gives it back.
func (c *column) extend(h *heap, n int) {
	c.data = h.regrow(c.data, n)
	c.n = n
}

// Lists by size, in a map.
type shelf struct{ free map[int][]*box }

type box struct{ cells []int }

func (s *shelf) take(n int) *box {
	list := s.free[n]
	if len(list) == 0 {
		return &box{make([]int, n)}
	}
	b := list[len(list)-1]
	s.free[n] = list[:len(list)-1]
	return b
}

func (s *shelf) give(b *box) { s.free[len(b.cells)] = append(s.free[len(b.cells)], b) }

// Wrong: used after it was given back.
func total(s *shelf, n int) (sum int) {
	b := s.take(n)
	for k := range b.cells {
		b.cells[k] = k
	}
	s.give(b)
	for _, c := range b.cells { // want `is read after it was put in the list free`
		sum += c
	}
	return sum
}

// Right.
func total2(s *shelf, n int) (sum int) {
	b := s.take(n)
	defer s.give(b)
	for k := range b.cells {
		b.cells[k] = k
	}
	for _, c := range b.cells {
		sum += c
	}
	return sum
}

// Right: what waits by rank is work, and no pool: who finds none makes none.
type queue struct{ byRank [3][]*box }

func (q *queue) add(rank int, b *box) { q.byRank[rank] = append(q.byRank[rank], b) }

func (q *queue) next(rank int) *box {
	if list := q.byRank[rank]; len(list) > 0 {
		b := list[0]
		q.byRank[rank] = list[1:]
		return b
	}
	return nil
}

func (q *queue) twice(b *box) int {
	q.add(0, b)
	q.add(1, b)
	return len(b.cells)
}

// Right: an index of all that were made, which others go through.
type index struct{ all map[string][]*box }

func (x *index) add(name string, b *box) { x.all[name] = append(x.all[name], b) }

func (x *index) last(name string) *box {
	list := x.all[name]
	if len(list) == 0 {
		return new(box)
	}
	b := list[len(list)-1]
	x.all[name] = list[:len(list)-1]
	return b
}

func (x *index) sum() (n int) {
	for _, list := range x.all {
		n += len(list)
	}
	return n
}

func (x *index) both(b *box) int {
	x.add("a", b)
	x.add("b", b)
	return len(b.cells)
}

func decode(dst []byte, s string) ([]byte, bool) {
	if len(s) > len(dst) {
		return nil, false
	}
	return dst[:copy(dst, s)], true
}

// Wrong: what decode returns is nil where it fails, and the memory is lost.
func load(h *heap, s string) []byte {
	for n := 32; n < 1<<20; n *= 2 {
		b := h.take(n) // want `is not put back on the path`
		b, ok := decode(b, s)
		if ok {
			return b
		}
		h.give(b)
	}
	return nil
}

// Right: the memory has a variable of its own.
func load2(h *heap, s string) []byte {
	for n := 32; n < 1<<20; n *= 2 {
		b := h.take(n)
		got, ok := decode(b, s)
		if ok {
			return got
		}
		h.give(b)
	}
	return nil
}
