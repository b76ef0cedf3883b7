package freenodes

type owner struct{ name string }

// A singly linked list whose nodes are kept.

type node struct {
	key  string
	val  any
	next *node
}

type table struct {
	heads map[string]*node
	free  *node
}

func (t *table) alloc() *node {
	if n := t.free; n != nil {
		t.free = n.next
		n.next = nil
		return n
	}
	return &node{}
}

func (t *table) set(key string, val any) {
	n := t.alloc()
	n.key, n.val = key, val
	t.heads[key] = n
}

func (t *table) remove(key string) {
	n := t.heads[key]
	if n == nil {
		return
	}
	delete(t.heads, key)
	n.next = t.free
	t.free = n // want `the node goes on the free list free with what it had in val`
}

// A package's list, of what is called back.

type timer struct {
	when int
	fn   func()
	own  *owner
	link *timer
}

var idle *timer

func start(when int, own *owner, fn func()) *timer {
	t := idle
	if t == nil {
		t = new(timer)
	} else {
		idle, t.link = t.link, nil
	}
	t.when, t.fn, t.own = when, fn, own
	return t
}

func stop(t *timer) {
	t.when = 0
	t.link = idle
	idle = t // want `the timer goes on the free list idle with what it had in fn, own`
}

// A generic one.

type cell[V any] struct {
	v    V
	next *cell[V]
}

type queue[V any] struct {
	first, last *cell[V]
	spare       *cell[V]
}

func (q *queue[V]) push(v V) {
	c := q.spare
	if c == nil {
		c = new(cell[V])
	} else {
		q.spare = c.next
	}
	c.v, c.next = v, nil
	if q.last == nil {
		q.first = c
	} else {
		q.last.next = c
	}
	q.last = c
}

func (q *queue[V]) pop() (v V, ok bool) {
	c := q.first
	if c == nil {
		return v, false
	}
	if q.first = c.next; q.first == nil {
		q.last = nil
	}
	v = c.v
	c.next = q.spare
	q.spare = c // want `the cell goes on the free list spare with what it had in v`
	return v, true
}
