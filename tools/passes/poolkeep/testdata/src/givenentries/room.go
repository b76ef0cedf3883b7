package givenentries

import "sync"

// The cells of a row are lengthened by a function.

func room(list []int, n int) []int {
	if cap(list) < n {
		return make([]int, n)
	}
	return list[:n]
}

type roomRow struct{ cells []int }

type roomSource interface{ RoomRows() []roomRow }

type roomSheet struct{ rows []roomRow }

var roomSheets = sync.Pool{New: func() any { return new(roomSheet) }}

func (s *roomSheet) load(lists [][]int) {
	n := len(lists)
	if cap(s.rows) < n {
		s.rows = make([]roomRow, n)
	}
	s.rows = s.rows[:n]
	for k := range s.rows {
		r := &s.rows[k]
		r.cells = room(r.cells, len(lists[k]))
		copy(r.cells, lists[k])
	}
}

func totalRoom(lists [][]int, more []roomSource) (sum int) {
	s := roomSheets.Get().(*roomSheet)
	s.load(lists)
	for _, m := range more {
		s.rows = append(s.rows, m.RoomRows()...)
	}
	for k := range s.rows {
		sum += len(s.rows[k].cells)
	}
	s.rows = s.rows[:0] // want `field rows of the pooled roomSheet keeps the entries that others gave`
	roomSheets.Put(s)
	return sum
}

// Right: the function makes new ones.

func copied(list []int, more []int) []int {
	all := make([]int, 0, len(list)+len(more))
	all = append(all, list...)
	return append(all, more...)
}

type joinedRow struct{ cells []int }

type joinedSource interface{ JoinedRows() []joinedRow }

type joinedSheet struct{ rows []joinedRow }

var joinedSheets = sync.Pool{New: func() any { return new(joinedSheet) }}

func (s *joinedSheet) load(lists [][]int) {
	n := len(lists)
	if cap(s.rows) < n {
		s.rows = make([]joinedRow, n)
	}
	s.rows = s.rows[:n]
	for k := range s.rows {
		r := &s.rows[k]
		r.cells = copied(r.cells, lists[k])
	}
}

func totalJoined(lists [][]int, more []joinedSource) (sum int) {
	s := joinedSheets.Get().(*joinedSheet)
	s.load(lists)
	for _, m := range more {
		s.rows = append(s.rows, m.JoinedRows()...)
	}
	for k := range s.rows {
		sum += len(s.rows[k].cells)
	}
	s.rows = s.rows[:0]
	joinedSheets.Put(s)
	return sum
}
