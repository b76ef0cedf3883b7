// Package mem is a stub of the real package's interface, with a pool of its own for what counts the references.
package mem

import "sync"

type BufferPool interface {
	Get(length int) *[]byte
	Put(*[]byte)
}

type Buffer interface {
	ReadOnlyData() []byte
	Ref()
	Free()
	Len() int
	Slice(start, end int) Buffer
}

type counted struct {
	data *[]byte
	pool BufferPool
	refs int
}

var objects = sync.Pool{New: func() any { return new(counted) }}

func (c *counted) ReadOnlyData() []byte { return *c.data }
func (c *counted) Ref()                 { c.refs++ }
func (c *counted) Len() int             { return len(*c.data) }

func (c *counted) Free() {
	if c.refs--; c.refs == 0 {
		c.pool.Put(c.data)
		c.data, c.pool = nil, nil
		objects.Put(c)
	}
}

func (c *counted) Slice(start, end int) Buffer {
	c.Ref()
	part := (*c.data)[start:end]
	s := newCounted()
	s.data, s.pool, s.refs = &part, nil, 1
	return s
}

// A small buffer is in no pool.
type small []byte

func (s small) ReadOnlyData() []byte        { return s }
func (s small) Ref()                        {}
func (s small) Free()                       {}
func (s small) Len() int                    { return len(s) }
func (s small) Slice(start, end int) Buffer { return s[start:end] }

func newCounted() *counted { return objects.Get().(*counted) }

func NewBuffer(data *[]byte, pool BufferPool) Buffer {
	if cap(*data) < 1024 {
		return small(*data)
	}
	c := newCounted()
	c.data, c.pool, c.refs = data, pool, 1
	return c
}

func Copy(data []byte, pool BufferPool) Buffer {
	if len(data) < 1024 {
		return small(append([]byte(nil), data...))
	}
	b := pool.Get(len(data))
	copy(*b, data)
	return NewBuffer(b, pool)
}

func DefaultBufferPool() BufferPool { return nil }

type BufferSlice []Buffer

func (s BufferSlice) Ref()                {}
func (s BufferSlice) Free()               {}
func (s BufferSlice) Len() int            { return len(s) }
func (s BufferSlice) Materialize() []byte { return nil }
