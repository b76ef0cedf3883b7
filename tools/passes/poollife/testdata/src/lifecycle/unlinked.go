package lifecycle

import "sync"

// A list of its own, of pooled nodes.
type edge struct {
	at         int64
	key        string
	prev, next *edge
}

var edgePool = sync.Pool{New: func() any { return new(edge) }}

type edges struct {
	byKey      map[string]*edge
	head, tail *edge
	gone       func(*edge)
}

func (s *edges) add(key string, at int64) {
	e := edgePool.Get().(*edge)
	*e = edge{key: key, at: at, prev: s.tail}
	if s.tail != nil {
		s.tail.next = e
	} else {
		s.head = e
	}
	s.tail = e
	s.byKey[key] = e
}

func (s *edges) unlink(e *edge) {
	if e.prev != nil {
		e.prev.next = e.next
	} else {
		s.head = e.next
	}
	if e.next != nil {
		e.next.prev = e.prev
	} else {
		s.tail = e.prev
	}
	e.prev, e.next = nil, nil
}

// What was taken out of a list is not found there again.
func (s *edges) expireOne(now int64) bool {
	if s.head == nil || s.head.at > now {
		return false
	}
	s.gone(s.head)
	s.drop(s.head)
	return true
}

func (s *edges) drop(e *edge) {
	delete(s.byKey, e.key)
	s.unlink(e)
	e.key = ""
	edgePool.Put(e)
}

func (s *edges) expire(now int64) {
	for s.expireOne(now) {
	}
}

// Not taken out, it is.
func (s *edges) forget(now int64) {
	for s.head != nil && s.head.at < now { // want `s.head is read after it was put`
		delete(s.byKey, s.head.key)
		edgePool.Put(s.head) // want `s.head is put in edgePool a second time`
	}
}

// The node itself is still in the caller's hand.
func (s *edges) remove(key string) int64 {
	e := s.byKey[key]
	if e == nil {
		return 0
	}
	s.drop(e)
	return e.at // want `e is read after it was put`
}
