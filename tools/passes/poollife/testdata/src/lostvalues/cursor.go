package lostvalues

import "container/list"

// Elements that were found by their place in a list, not in a map.

type strip struct {
	order *list.List
	most  int
}

func (s *strip) drop() {
	if e := s.order.Back(); e != nil {
		tiles.Put(s.order.Remove(e).(*tile))
	}
}

func (s *strip) turn(t *tile) {
	if s.order.Len() < s.most {
		s.order.PushFront(t)
		return
	}
	oldest := s.order.Back()
	oldest.Value = t // want `the element of the list has a value already`
	s.order.MoveToFront(oldest)
}

func (s *strip) setAt(n int, t *tile) {
	e := s.order.Front()
	for ; e != nil && n > 0; n-- {
		e = e.Next()
	}
	if e != nil {
		e.Value = t // want `the element of the list has a value already`
	}
}

func (s *strip) turnRight(t *tile) {
	oldest := s.order.Back()
	tiles.Put(oldest.Value.(*tile))
	oldest.Value = t
	s.order.MoveToFront(oldest)
}

// right: the elements are new, and empty
func (s *strip) fill(list []*tile) {
	e := s.order.PushBack(nil)
	for k, t := range list {
		if k > 0 {
			e = s.order.InsertAfter(nil, e)
		}
		e.Value = t
	}
}
