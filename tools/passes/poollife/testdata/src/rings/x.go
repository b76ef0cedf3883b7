package rings // Arrays that serve as pools, and lists whose takers make nothing themselves.

import (
	"sync"
	"sync/atomic"
)

type frame struct{ data []byte }

// An array that is used as a ring, and a wrapper that makes what the ring does not have.

type ring struct {
	slots    [64]*frame
	in, out  sync.Mutex
	from, to atomic.Uint32
}

func (r *ring) pop() *frame {
	r.out.Lock()
	defer r.out.Unlock()
	k := r.from.Load()
	if k == r.to.Load() {
		return nil
	}
	f := r.slots[k%64]
	r.slots[k%64] = nil
	r.from.Store(k + 1)
	return f
}

func (r *ring) push(f *frame) bool {
	r.in.Lock()
	defer r.in.Unlock()
	k := r.to.Load()
	if k-r.from.Load() >= 64 {
		return false
	}
	r.slots[k%64] = f
	r.to.Store(k + 1)
	return true
}

type framer struct{ free ring }

func (w *framer) frame() *frame {
	if f := w.free.pop(); f != nil {
		f.data = f.data[:0]
		return f
	}
	return new(frame)
}

func (w *framer) encode(s string) []byte {
	f := w.frame()
	f.data = append(f.data, s...)
	w.free.push(f)
	return f.data // want `memory of f is returned after it was put in the ring slots` `f is read after it was put in the ring slots`
}

func (w *framer) copied(s string) []byte {
	f := w.frame()
	f.data = append(f.data, s...)
	b := append([]byte(nil), f.data...)
	w.free.push(f)
	return b
}

// A list, and the caller of the function that takes makes something new.

type list struct {
	mu   sync.Mutex
	free []*frame
}

func (l *list) pop() *frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.free)
	if n == 0 {
		return nil
	}
	f := l.free[n-1]
	l.free = l.free[:n-1]
	return f
}

func (l *list) push(f *frame) {
	l.mu.Lock()
	l.free = append(l.free, f)
	l.mu.Unlock()
}

func (l *list) frame() *frame {
	if f := l.pop(); f != nil {
		return f
	}
	return &frame{data: make([]byte, 0, 512)}
}

func join(l *list, parts ...string) []byte {
	f := l.frame()
	f.data = f.data[:0]
	for _, p := range parts {
		f.data = append(f.data, p...)
	}
	l.push(f)
	return f.data // want `memory of f is returned after it was put in the list free` `f is read after it was put in the list free`
}

// Work that is not done yet is no pool: who finds nothing has nothing to do.

type node struct {
	kids []*node
	text []byte
}

type todo struct{ open []*node }

func (t *todo) pop() *node {
	n := len(t.open)
	if n == 0 {
		return nil
	}
	x := t.open[n-1]
	t.open = t.open[:n-1]
	return x
}

func (t *todo) push(n *node) { t.open = append(t.open, n) }

func last(root *node) (text []byte) {
	t := &todo{}
	t.push(root)
	for n := t.pop(); n != nil; n = t.pop() {
		for _, k := range n.kids {
			t.push(k)
			text = k.text
		}
	}
	return text
}

// A queue in an array: what one sends the other gets.

type queue struct {
	mu     sync.Mutex
	slots  [16]*node
	at, to int
}

func (q *queue) send(n *node) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[q.to%16] = n
	q.to++
	return n.text
}

func (q *queue) next() *node {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.at == q.to {
		return nil
	}
	n := q.slots[q.at%16]
	q.slots[q.at%16] = nil
	q.at++
	return n
}

// A cache: what is in it stays there.

type cache struct{ slots [32]*node }

func (c *cache) get(k int) *node {
	if n := c.slots[k%32]; n != nil {
		return n
	}
	return new(node)
}

func (c *cache) set(k int, n *node) []byte {
	c.slots[k%32] = n
	return n.text
}
