package instances

import "sync"

// The pool of a generic type is made by a function with type parameters of its own.
type memo[K comparable, V any] struct {
	pool *sync.Pool
	find func(K) V
}

func newMemo[K comparable, V any](find func(K) V) memo[K, V] {
	return memo[K, V]{find: find, pool: &sync.Pool{New: func() any { return make(map[K]V) }}}
}

func (m memo[K, V]) get(k K) V {
	known := m.pool.Get().(map[K]V)
	defer m.pool.Put(known)
	if v, ok := known[k]; ok {
		return v
	}
	v := m.find(k)
	if len(known) < 100 {
		known[k] = v
	}
	return v
}

type queued[T any] struct{ pool *sync.Pool }

func newQueued[T any]() queued[T] {
	return queued[T]{&sync.Pool{New: func() any { return make(chan T, 1) }}}
}

func (q queued[T]) ask(f func(chan<- T)) T {
	c := q.pool.Get().(chan T)
	defer q.pool.Put(c)
	f(c)
	return <-c
}

// A map is no slice, whatever they are of.
type mixedUp[T any] struct{ pool sync.Pool }

func (m *mixedUp[T]) put(n int) {
	m.pool.Put(make([]int, n)) // want `by value` `but Get's caller asserts map\[string\]int`
}

func (m *mixedUp[T]) get() map[string]int {
	v, _ := m.pool.Get().(map[string]int)
	return v
}
