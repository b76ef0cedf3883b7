// Package anytype pools structs with fields of type parameters.
package anytype

import "sync"

type item[V any] struct {
	val V
	n   int
}

type kept[V any] struct{ pool *sync.Pool }

func (b *kept[V]) take(v V) *item[V] {
	i := b.pool.Get().(*item[V])
	i.val, i.n = v, 1
	return i
}

func (b *kept[V]) give(i *item[V]) {
	i.n = 0
	b.pool.Put(i) // want `still leads to what the last user set in val`
}

type node[K comparable, V any] struct {
	key  K
	val  V
	next *node[K, V]
}

type list[K comparable, V any] struct {
	head *node[K, V]
	pool sync.Pool
}

func (l *list[K, V]) push(k K, v V) {
	n, _ := l.pool.Get().(*node[K, V])
	if n == nil {
		n = new(node[K, V])
	}
	*n = node[K, V]{key: k, val: v, next: l.head}
	l.head = n
}

func (l *list[K, V]) pop() (K, V) {
	n := l.head
	l.head, n.next = n.next, nil
	k, v := n.key, n.val
	l.pool.Put(n) // want `still leads to what the last user set in key, val`
	return k, v
}

// Emptied, one way or the other.
type cell[V any] struct{ val V }

func (c *cell[V]) reset() {
	var zero V
	c.val = zero
}

type cells[V any] struct{ pool *sync.Pool }

func (b *cells[V]) take(v V) *cell[V] {
	c := b.pool.Get().(*cell[V])
	c.val = v
	return c
}

func (b *cells[V]) give(c *cell[V]) {
	c.reset()
	b.pool.Put(c)
}

type slot[V any] struct {
	val  V
	next *slot[V]
}

type slots[V any] struct {
	head *slot[V]
	pool sync.Pool
}

func (l *slots[V]) push(v V) {
	s := l.pool.Get().(*slot[V])
	s.val, s.next = v, l.head
	l.head = s
}

func (l *slots[V]) pop() V {
	s := l.head
	l.head = s.next
	v := s.val
	*s = slot[V]{}
	l.pool.Put(s)
	return v
}

// Numbers keep nothing alive.
type number interface{ ~int | ~float64 }

type sum[V number] struct {
	total V
	n     int
}

type sums[V number] struct{ pool sync.Pool }

func (l *sums[V]) twice(v V) V {
	s := l.pool.Get().(*sum[V])
	defer l.pool.Put(s)
	s.total, s.n = v, 1
	return s.total + s.total
}
