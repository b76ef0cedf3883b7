package stillpointedzeroed

import "sync"

// Who takes the slice sets its elements to nothing.

type shelves[T any] struct{ elems, rows sync.Pool }

func (s *shelves[T]) row() []T {
	r, ok := s.rows.Get().(*[]T)
	if !ok {
		return nil
	}
	var none T
	for i := range *r {
		(*r)[i] = none
	}
	return (*r)[:0]
}

func (s *shelves[T]) free(row []T) {
	for _, e := range row {
		s.elems.Put(e)
	}
	s.rows.Put(&row)
}
