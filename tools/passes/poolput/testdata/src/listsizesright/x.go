package listsizesright // Which pool takes what memory, by its size or type, where pools are lists or of one size.

import (
	"slices"
	"sync"
)

// Rounded down, and dropped above a limit that is set elsewhere.

type drawers struct {
	sizes   []int
	free    []chan []byte
	largest int
}

func (d *drawers) Take(n int) []byte {
	if n > d.largest {
		return make([]byte, n)
	}
	for k, size := range d.sizes {
		if size >= n {
			select {
			case b := <-d.free[k]:
				return b[:n]
			default:
				return make([]byte, n, size)
			}
		}
	}
	return nil
}

func (d *drawers) Give(b []byte) {
	if cap(b) > d.largest {
		return
	}
	for k, size := range slices.Backward(d.sizes) {
		if cap(b) >= size {
			select {
			case d.free[k] <- b:
			default:
			}
			return
		}
	}
}

// One pool for what is at least as large as a limit.

type large struct {
	pool  sync.Pool
	least int
}

func (l *large) Get(n int) []byte {
	if n > l.least {
		return make([]byte, n)
	}
	if p, ok := l.pool.Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, l.least)
}

func (l *large) Put(p *[]byte) {
	if cap(*p) >= l.least {
		l.pool.Put(p)
	}
}

type both struct{ in, out large }

func (b *both) Get(n int, in bool) []byte {
	if in {
		return b.in.Get(n)
	}
	return b.out.Get(n)
}

func (b *both) Put(p *[]byte, in bool) {
	if in {
		b.in.Put(p)
	} else {
		b.out.Put(p)
	}
}

// Who takes asks.

type tray struct {
	mu    sync.Mutex
	width int
	idle  [][]int32
}

type trays struct{ all []*tray }

func (t *trays) Rows(n int) []int32 {
	for _, x := range t.all {
		if x.width < n {
			continue
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		if k := len(x.idle); k > 0 {
			r := x.idle[k-1]
			x.idle = x.idle[:k-1]
			if cap(r) >= n {
				return r[:n]
			}
		}
		return make([]int32, n, x.width)
	}
	return make([]int32, n)
}

func (t *trays) Return(r []int32) {
	for _, x := range t.all {
		if x.width >= cap(r) {
			x.mu.Lock()
			x.idle = append(x.idle, r)
			x.mu.Unlock()
			return
		}
	}
}

// A class whose size fits exactly, picked by the one who gives the pool.

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

func (s *lanes[T]) put(x *[]T) {
	for _, l := range s.all {
		if cap(*x) == l.n {
			l.put(x)
			return
		}
	}
}

var words lanes[int]

func push(n, w int) {
	x := append(words.get(n), w)
	words.put(&x)
}

// Queues of messages, not pools.

type queues struct{ all []chan []byte }

func (q *queues) Next(n int) []byte {
	for _, c := range q.all {
		select {
		case m := <-c:
			return m[:min(n, len(m))]
		default:
		}
	}
	return make([]byte, 0)
}

func (q *queues) Send(m []byte) bool {
	for _, c := range q.all {
		select {
		case c <- m:
			return true
		default:
		}
	}
	return false
}
