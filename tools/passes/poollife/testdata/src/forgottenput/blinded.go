package forgottenput

import (
	"bytes"
	"sync"
)

// A field is emptied before it is looked at for what to put.

var (
	lists = sync.Pool{New: func() any { return new([]*bytes.Buffer) }}
	maps  = sync.Pool{New: func() any { return map[int]*bytes.Buffer{} }}
)

type session struct {
	id   int
	body *bytes.Buffer
	any  any
	list []*bytes.Buffer
	m    map[int]*bytes.Buffer
}

func (s *session) open() {
	s.body = get()
	s.any = get()
	s.list = append(s.list, get())
	s.m[1] = get()
}

func (s *session) nilFirst() {
	s.body = nil // want `is emptied here, before it is looked at`
	if s.body != nil {
		pool.Put(s.body)
	}
}
func (s *session) nilLast() {
	if s.body != nil {
		pool.Put(s.body)
	}
	s.body = nil
}
func (s *session) cutFirst() {
	s.list = s.list[:0] // want `is emptied here, before it is looked at`
	for _, b := range s.list {
		put(b)
	}
}
func (s *session) cutLast() {
	for _, b := range s.list {
		put(b)
	}
	s.list = s.list[:0]
}
func (s *session) zeroFirst() {
	*s = session{} // want `is emptied here, before it is looked at`
	if b, ok := s.any.(*bytes.Buffer); ok {
		pool.Put(b)
	}
}
func (s *session) clearFirst() {
	clear(s.m) // want `is emptied here, before it is looked at`
	for _, b := range s.m {
		put(b)
	}
}
func (s *session) reset() { s.id = 0; s.body = nil }
func (s *session) resetFirst() {
	s.reset() // want `is emptied here, before it is looked at`
	if b := s.body; b != nil {
		pool.Put(b)
	}
}
func (s *session) resetLast() {
	b := s.body
	s.reset()
	if b != nil {
		pool.Put(b)
	}
}
func (s *session) setAgain(next func() *bytes.Buffer) {
	s.body = nil
	s.body = next()
	if s.body != nil {
		pool.Put(s.body)
	}
}
func (s *session) fill() { s.body = get() }
func (s *session) filledAgain() {
	s.body = nil
	s.fill()
	if s.body != nil {
		pool.Put(s.body)
	}
}
func (s *session) moved() {
	list := s.list
	s.list = nil
	for _, b := range list {
		put(b)
	}
}
func (s *session) helperAsks() {
	s.body = nil // want `is emptied here, before it is looked at`
	put(s.body)
}
func (s *session) inLoop(n int) {
	s.body = nil
	for range n {
		if s.body != nil {
			put(s.body)
		}
		s.body = get()
	}
}

func (s *session) container() {
	s.list = s.list[:0]
	lists.Put(&s.list)
	clear(s.m)
	maps.Put(s.m)
}
