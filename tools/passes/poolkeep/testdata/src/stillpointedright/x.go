package stillpointedright

import "sync"

// The elements are put, and the slice without them.

type shelves[T any] struct{ elems, rows sync.Pool }

func (s *shelves[T]) free(row []T) {
	var none T
	for i, e := range row {
		s.elems.Put(e)
		row[i] = none
	}
	row = row[:0]
	s.rows.Put(&row)
}

func (s *shelves[T]) freeBoth(row []T) {
	for _, e := range row {
		s.elems.Put(e)
	}
	wipe(row)
	row = row[:0]
	s.rows.Put(&row)
}

func wipe[E any](list []E) {
	for i := range list {
		list[i] = *new(E)
	}
}

type page struct{ b [64]byte }

var pages, books sync.Pool

func freePages(b *[]*page) {
	for i, p := range *b {
		pages.Put(p)
		(*b)[i] = nil
	}
	*b = (*b)[:0]
	books.Put(b)
}

func dropBook(b *[]*page) {
	for _, p := range *b {
		pages.Put(p)
	}
	*b = nil
	books.Put(b)
}
