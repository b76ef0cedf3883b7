package poolinterface

import (
	"errors"
	"sync"
)

// A Pool of bytes is behind an exported interface, whoever implements it.
type Pool interface {
	Get(size int) (*[]byte, error)
	Put(b *[]byte)
}

type bounded struct{ free sync.Pool }

func (p *bounded) Get(size int) (*[]byte, error) {
	if size > 1<<16 {
		return nil, errors.New("too large")
	}
	b, ok := p.free.Get().(*[]byte)
	if !ok {
		b = new([]byte)
	}
	if cap(*b) < size {
		*b = make([]byte, 0, size)
	}
	return b, nil
}

func (p *bounded) Put(b *[]byte) {
	if cap(*b) > 1<<16 {
		return
	}
	*b = (*b)[:0]
	p.free.Put(b)
}

type Reader struct {
	pool  Pool
	names []string
	fill  func(b *[]byte, name string) error
}

// Wrong: the number is looked at too late.
func (r *Reader) Sum(n, size int) (int, error) {
	b, err := r.pool.Get(size) // want `b, taken from pool .* is not put back`
	if err != nil {
		return 0, err
	}
	if n >= len(r.names) {
		return 0, errors.New("no such name")
	}
	if err := r.fill(b, r.names[n]); err != nil {
		r.pool.Put(b)
		return 0, err
	}
	s := 0
	for _, x := range *b {
		s += int(x)
	}
	r.pool.Put(b)
	return s, nil
}

func (r *Reader) First(size int) (byte, error) {
	if len(r.names) == 0 {
		return 0, errors.New("no name")
	}
	b, err := r.pool.Get(size)
	if err != nil {
		return 0, err
	}
	defer r.pool.Put(b)
	if err := r.fill(b, r.names[0]); err != nil {
		return 0, err
	}
	return (*b)[0], nil
}

// A Store has what was put by others as well: no pool.
type Store interface {
	Get(key string) *entry
	Put(key string, e *entry)
}

type entry struct{ data []byte }

type table struct {
	entries sync.Map
	spare   sync.Pool
}

func (t *table) Get(key string) *entry {
	if e, ok := t.entries.Load(key); ok {
		return e.(*entry)
	}
	e, ok := t.spare.Get().(*entry)
	if !ok {
		e = new(entry)
	}
	e.data = nil
	return e
}

func (t *table) drop(key string) {
	if e, ok := t.entries.LoadAndDelete(key); ok {
		t.spare.Put(e)
	}
}

func (t *table) Put(key string, e *entry) { t.entries.Store(key, e) }

func size(s Store, key string) int {
	e := s.Get(key)
	return len(e.data)
}
