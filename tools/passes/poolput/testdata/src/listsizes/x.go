package listsizes // Which pool takes what memory, by its size or type, where pools are lists or of one size.

import (
	"slices"
	"sync"
	"unsafe"
)

// Channels by size, each in a struct of its own.

type drawer struct {
	free  chan []byte
	spare func() []byte
}

func (d *drawer) take() []byte {
	select {
	case b := <-d.free:
		return b
	default:
		return d.spare()
	}
}

func (d *drawer) give(b []byte) {
	select {
	case d.free <- b:
	default:
	}
}

type cabinet struct {
	sizes   []int
	drawers []*drawer
	largest int
}

func build(sizes []int) *cabinet {
	c := &cabinet{sizes: sizes}
	for _, n := range sizes {
		c.drawers = append(c.drawers, &drawer{free: make(chan []byte, 8), spare: func() []byte { return make([]byte, n) }})
		c.largest = n
	}
	return c
}

func (c *cabinet) Take(n int) []byte {
	if n > c.largest {
		return make([]byte, n)
	}
	for k, size := range c.sizes {
		if size >= n {
			return c.drawers[k].take()[:n]
		}
	}
	return nil
}

func (c *cabinet) Give(b []byte) {
	if cap(b) > c.largest {
		return
	}
	for k, size := range c.sizes {
		if size >= cap(b) {
			c.drawers[k].give(b) // want `a slice with a capacity of \d+ goes to a pool from which Take takes slices for up to 1024`
			return
		}
	}
}

func grown(c *cabinet, n int, tail []byte) {
	b := c.Take(n)
	b = append(b, tail...)
	c.Give(b)
}

// Lists by size.

type tray struct {
	mu    sync.Mutex
	width int
	idle  [][]int32
}

type trays struct{ all []*tray }

func (t *trays) fit(n int) *tray {
	k := slices.IndexFunc(t.all, func(x *tray) bool { return x.width >= n })
	if k < 0 {
		return nil
	}
	return t.all[k]
}

func (t *trays) Rows(n int) []int32 {
	x := t.fit(n)
	if x == nil {
		return make([]int32, n)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if k := len(x.idle); k > 0 {
		r := x.idle[k-1]
		x.idle = x.idle[:k-1]
		return r[:n]
	}
	return make([]int32, n, x.width)
}

func (t *trays) Return(r []int32) {
	if x := t.fit(cap(r)); x != nil {
		x.mu.Lock()
		x.idle = append(x.idle, r) // want `a slice with a capacity of \d+ goes to a pool from which Rows takes slices for up to 1024`
		x.mu.Unlock()
	}
}

func double(t *trays, r []int32) []int32 {
	r = append(r, r...)
	t.Return(r)
	return nil
}

// Pointers to bare memory, which is as long as its class says.

type block struct {
	idle  chan unsafe.Pointer
	bytes int
}

type heap struct{ of []*block }

func (h *heap) Lend(n int) []byte {
	for _, b := range h.of {
		if n <= b.bytes {
			select {
			case p := <-b.idle:
				return unsafe.Slice((*byte)(p), b.bytes)[:n]
			default:
				return make([]byte, n, b.bytes)
			}
		}
	}
	return make([]byte, n)
}

func (h *heap) Back(p []byte) {
	for _, b := range h.of {
		if cap(p) <= b.bytes {
			select { // want `a slice with a capacity of \d+ goes to a pool from which Lend takes slices for up to 1024`
			case b.idle <- unsafe.Pointer(unsafe.SliceData(p)):
			default:
			}
			return
		}
	}
}

func fill(h *heap, n int, s string) {
	p := append(h.Lend(n), s...)
	h.Back(p)
}

// A Get that gives anything, and callers who take it for a slice.

type rack struct {
	pools []sync.Pool
	sizes []int
	fresh func(int) any
}

func (r *rack) get(n int) any {
	for k, size := range r.sizes {
		if n <= size {
			if v := r.pools[k].Get(); v != nil {
				return v
			}
			return r.fresh(size)
		}
	}
	return r.fresh(n)
}

func (r *rack) put(b []byte) {
	for k, size := range r.sizes {
		if cap(b) <= size {
			r.pools[k].Put(b) // want `a slice with a capacity of \d+ goes to a pool from which get takes slices for up to 1024` `by value`
			return
		}
	}
}

var store rack

func load(n int) []byte { return store.get(n).([]byte)[:n] }

func keepLines(lines []string) {
	for _, l := range lines {
		store.put([]byte(l))
	}
}

// Generic classes.

type lane[T any] struct {
	pool sync.Pool
	n    int
}

func (l *lane[T]) get(n int) []T {
	if p, ok := l.pool.Get().(*[]T); ok {
		return (*p)[:n]
	}
	return make([]T, n, l.n)
}

func (l *lane[T]) put(p *[]T) { l.pool.Put(p) }

type lanes[T any] struct{ all []*lane[T] }

func (s *lanes[T]) get(n int) []T {
	for _, l := range s.all {
		if n <= l.n {
			return l.get(n)
		}
	}
	return make([]T, n)
}

func (s *lanes[T]) put(x []T) {
	for _, l := range s.all {
		if cap(x) <= l.n {
			l.put(&x) // want `the address of the local variable x` `a slice with a capacity of \d+ goes to a pool from which get takes slices for up to 1024`
			return
		}
	}
}

var words lanes[int]

func push(n, w int) {
	x := append(words.get(n), w)
	words.put(x)
}
