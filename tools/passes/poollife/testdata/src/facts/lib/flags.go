package lib

import (
	"reflect"
	"sync"
)

// A Matcher has a buffer only where it has something to match.
type Matcher struct {
	buf     *[]byte
	pool    *sync.Pool
	sharded bool
}

var Buffers = sync.Pool{New: func() any { return new([]byte) }}

func NewMatcher(shards int, pool *sync.Pool) *Matcher {
	if shards < 2 {
		return &Matcher{sharded: false}
	}
	return &Matcher{buf: pool.Get().(*[]byte), pool: pool, sharded: true}
}

func (m *Matcher) Sharded() bool { return m.sharded }

func (m *Matcher) Close() {
	if m.pool != nil {
		m.pool.Put(m.buf)
	}
}

// Sized has slices of any type, which it puts cut to length 0 by reflection.
type Sized struct {
	pools []sync.Pool
	sizes []int
	make  func(int) any
}

func NewSized(largest int, mk func(int) any) *Sized {
	s := &Sized{make: mk}
	for n := 64; n <= largest; n *= 2 {
		s.sizes = append(s.sizes, n)
	}
	s.pools = make([]sync.Pool, len(s.sizes))
	return s
}

func (s *Sized) Get(n int) any {
	for i, size := range s.sizes {
		if n > size {
			continue
		}
		if v := s.pools[i].Get(); v != nil {
			return v
		}
		return s.make(size)
	}
	return s.make(n)
}

func (s *Sized) Put(v any) {
	slice := reflect.ValueOf(v)
	if slice.Kind() != reflect.Slice {
		panic("no slice")
	}
	for i, size := range s.sizes {
		if slice.Cap() == size {
			s.pools[i].Put(slice.Slice(0, 0).Interface())
			return
		}
	}
}
