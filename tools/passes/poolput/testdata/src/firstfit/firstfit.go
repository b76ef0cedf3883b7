package firstfit

import "sync"

// Pools by size whose Put looks for the class of a capacity.

var sizes = []int{1 << 10, 1 << 14, 1 << 18}

type store struct{ pools []sync.Pool }

func (s *store) get(n int) []byte {
	for i := range sizes {
		if n <= sizes[i] {
			if p, ok := s.pools[i].Get().(*[]byte); ok {
				return (*p)[:n]
			}
			return make([]byte, n, sizes[i])
		}
	}
	return make([]byte, n)
}

func (s *store) put(b *[]byte) {
	for i := range sizes {
		if cap(*b) >= sizes[i] {
			s.pools[i].Put(b) // want `a slice is put in the first pool of pools whose size its capacity reaches, from the smallest up`
			return
		}
	}
}

type exact struct{ pools []sync.Pool }

func (s *exact) get(n int) []byte {
	for i := range sizes {
		if n <= sizes[i] {
			if p, ok := s.pools[i].Get().(*[]byte); ok {
				return (*p)[:n]
			}
			return make([]byte, n, sizes[i])
		}
	}
	return make([]byte, n)
}

func (s *exact) put(b *[]byte) {
	for i := range sizes {
		if cap(*b) == sizes[i] {
			s.pools[i].Put(b)
			return
		}
	}
}

// From the largest down.

type down struct{ pools [3]sync.Pool }

func (s *down) put(b *[]byte) {
	for i := len(sizes) - 1; i >= 0; i-- {
		if cap(*b) >= sizes[i] {
			s.pools[i].Put(b)
			return
		}
	}
}

// Each class beside its pool.

type class struct {
	size int
	pool sync.Pool
}

type table struct{ classes []class }

func (t *table) get(n int) []byte {
	for i := 0; i < len(t.classes); i++ {
		if t.classes[i].size >= n {
			if p, ok := t.classes[i].pool.Get().(*[]byte); ok {
				return (*p)[:n]
			}
			return make([]byte, n, t.classes[i].size)
		}
	}
	return make([]byte, n)
}

func (t *table) put(b *[]byte) {
	c := cap(*b)
	for i := 0; i < len(t.classes); i++ {
		if t.classes[i].size > c {
			continue
		}
		t.classes[i].pool.Put(b) // want `a slice is put in the first pool of classes`
		break
	}
}

// The class before the first that is larger.

type below struct{ classes []class }

func (t *below) get(n int) []byte {
	for i := range t.classes {
		if n <= t.classes[i].size {
			if p, ok := t.classes[i].pool.Get().(*[]byte); ok {
				return (*p)[:n]
			}
		}
	}
	return make([]byte, n)
}

func (t *below) put(b *[]byte) {
	at := -1
	for i := range t.classes {
		if cap(*b) >= t.classes[i].size {
			at = i
		}
	}
	if at >= 0 {
		t.classes[at].pool.Put(b)
	}
}

// Sizes that fall.

var falling = []int{1 << 18, 1 << 14, 1 << 10}

var fallingPools [3]sync.Pool

func putFalling(b *[]byte) {
	for i, n := range falling {
		if cap(*b) >= n {
			fallingPools[i].Put(b)
			return
		}
	}
}

// Between two bounds.

type between struct{ pools []sync.Pool }

func (s *between) get(n int) []byte {
	for i := range sizes {
		if n <= sizes[i] {
			if p, ok := s.pools[i].Get().(*[]byte); ok {
				return (*p)[:n]
			}
		}
	}
	return make([]byte, n)
}

func (s *between) put(b *[]byte) {
	for i := range sizes {
		if cap(*b) >= sizes[i] && (i+1 == len(sizes) || cap(*b) < sizes[i+1]) {
			s.pools[i].Put(b)
			return
		}
	}
}
