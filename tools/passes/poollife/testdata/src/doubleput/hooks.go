package doubleput

import "sync"

// A hook that is wrapped is what was there before, not one of those that take its place.

type visit struct{ page string }

var visits = sync.Pool{New: func() any { return new(visit) }}

type site struct {
	onLeave func(*visit)
	onEnter func(*visit)
}

func (s *site) release() {
	if before := s.onLeave; before != nil {
		s.onLeave = func(v *visit) {
			before(v)
			visits.Put(v)
		}
	} else {
		s.onLeave = func(v *visit) { visits.Put(v) }
	}
}

func (s *site) leave(page string) {
	v := visits.Get().(*visit)
	v.page = page
	if s.onLeave != nil {
		s.onLeave(v)
	} else {
		visits.Put(v)
	}
}

// Here what is wrapped puts as well.
func (s *site) releaseTwice() {
	s.onEnter = func(v *visit) { visits.Put(v) }
	before := s.onEnter
	s.onEnter = func(v *visit) {
		before(v)
		visits.Put(v) // want `v is put in visits a second time`
	}
}
