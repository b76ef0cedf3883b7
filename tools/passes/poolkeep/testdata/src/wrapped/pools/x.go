// Package pools has the wrappers of sync.Pool that modules keep in a package of their own.
package pools

import (
	"bytes"
	"sync"
)

// Take and Give work on the caller's pool.
func Take[T any](p *sync.Pool) T { return p.Get().(T) }

func Give[T any](p *sync.Pool, x T) { p.Put(x) }

// A Typed is a pool of one type.
type Typed[T any] struct {
	name string
	pool sync.Pool
}

func New[T any](mk func() T) *Typed[T] {
	return &Typed[T]{pool: sync.Pool{New: func() any { return mk() }}}
}

func (t *Typed[T]) Get() T { return t.pool.Get().(T) }

func (t *Typed[T]) Put(x T) { t.pool.Put(x) }

// A Lazy makes its values itself.
type Lazy[T any] struct{ pool sync.Pool }

func (l *Lazy[T]) Get() *T {
	if x, ok := l.pool.Get().(*T); ok {
		return x
	}
	return new(T)
}

func (l *Lazy[T]) Put(x *T) {
	if x == nil {
		return
	}
	l.pool.Put(x)
}

// A Capped drops what grew too large, as it is.
type Capped struct {
	max  int
	pool sync.Pool
}

func (c *Capped) Get() *bytes.Buffer {
	if b, ok := c.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (c *Capped) Put(b *bytes.Buffer) {
	if b.Cap() > c.max {
		return
	}
	c.pool.Put(b)
}

// A Clean empties what it is given.
type Clean[T interface{ Reset() }] struct{ pool sync.Pool }

func (c *Clean[T]) Get() T { return c.pool.Get().(T) }

func (c *Clean[T]) Put(x T) {
	x.Reset()
	c.pool.Put(x)
}

// The package's own.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func GetBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func PutBuffer(b *bytes.Buffer) { buffers.Put(b) }

// Two pools in one struct are not told apart.
type Pair struct{ small, large sync.Pool }

func (p *Pair) Small() *[64]byte { return p.small.Get().(*[64]byte) }

func (p *Pair) Large() *[4096]byte { return p.large.Get().(*[4096]byte) }

func (p *Pair) PutSmall(b *[64]byte) { p.small.Put(b) }

func (p *Pair) PutLarge(b *[4096]byte) { p.large.Put(b) }
