// SPDX-License-Identifier: BSD-3-Clause

// Package pools has a pool that asks what it is given for its size.
package pools

import "sync"

type Sized[T any] interface {
	Instance() *T
	Size() int
}

type Pool[T any] struct {
	pool  sync.Pool
	near  chan *T
	limit int
	make  func() *T
}

func New[T any](limit int, f func() *T) *Pool[T] {
	return &Pool[T]{near: make(chan *T, 4), limit: limit, make: f}
}

func (p *Pool[T]) Get() *T {
	select {
	case v := <-p.near:
		return v
	default:
	}
	v, ok := p.pool.Get().(*T)
	if !ok {
		v = p.make()
	}
	return v
}

func (p *Pool[T]) Put(v Sized[T]) {
	if v == nil {
		return
	}
	p.put(v.Instance(), v.Size())
}

func (p *Pool[T]) put(v *T, size int) {
	if size >= p.limit {
		return
	}
	select {
	case p.near <- v:
	default:
		p.pool.Put(v)
	}
}
