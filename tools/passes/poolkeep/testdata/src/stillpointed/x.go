package stillpointed

import "sync"

// The elements of a slice go to one pool, and the slice, with what it had, to another one.

type shelves[T any] struct{ elems, rows sync.Pool }

func (s *shelves[T]) row() []T {
	if r, ok := s.rows.Get().(*[]T); ok {
		return (*r)[:0]
	}
	return nil
}

func (s *shelves[T]) elem() T { return s.elems.Get().(T) }

func (s *shelves[T]) free(row []T) {
	for i := range row {
		s.elems.Put(row[i])
	}
	if row != nil {
		row = row[:0]
		s.rows.Put(&row) // want `the elements of row are put one by one \(line 20\)`
	}
}

func (s *shelves[T]) freeElem(e T) { s.elems.Put(e) }

func (s *shelves[T]) freeElems(row []T) {
	for n := len(row) - 1; n >= 0; n-- {
		s.freeElem(row[n])
	}
}

func (s *shelves[T]) freeRow(row []T) {
	row = row[:0]
	s.rows.Put(&row)
}

func (s *shelves[T]) freeBoth(row []T) {
	s.freeElems(row)
	s.freeRow(row) // want `the elements of row are put one by one`
}

func (s *shelves[T]) each(row []T, f func(T)) {
	defer s.freeRow(row) // want `the elements of row are put one by one`
	for _, e := range row {
		f(e)
		s.freeElem(e)
	}
}

func freeAll[T any](elems, rows *sync.Pool, row *[]*T) {
	for _, e := range *row {
		elems.Put(e)
	}
	rows.Put(row) // want `the elements of \*row are put one by one`
}

type page struct{ b [64]byte }

var pages, books sync.Pool

func freePage(p *page)    { pages.Put(p) }
func freeBook(b *[]*page) { books.Put(b) }

func freePages(b *[]*page) {
	for _, p := range *b {
		freePage(p)
	}
	freeBook(b) // want `the elements of \*b are put one by one`
}

// Not the same slice, or not both.

func (s *shelves[T]) swap(row, other []T) {
	for _, e := range row {
		s.elems.Put(e)
	}
	other = other[:0]
	s.rows.Put(&other)
}

func (s *shelves[T]) anew(row []T) {
	for _, e := range row {
		s.elems.Put(e)
	}
	row = make([]T, 0, cap(row))
	s.rows.Put(&row)
}

func (s *shelves[T]) either(row []T, whole bool) {
	if whole {
		s.rows.Put(&row)
		return
	}
	for _, e := range row {
		s.elems.Put(e)
	}
}

func (s *shelves[T]) swapFirst(row []T, e T) (first T) {
	first, row[0] = row[0], e
	return first
}
