package emptying

import "sync"

// A generic pool that is given the function which empties.
type Pool[T any] struct {
	p     sync.Pool
	empty func(T) T
}

func New[T any](mk func() T, empty func(T) T) *Pool[T] {
	p := &Pool[T]{empty: empty}
	p.p.New = func() any { v := mk(); return &v }
	return p
}

func (p *Pool[T]) Get() T { return *p.p.Get().(*T) }

func (p *Pool[T]) Put(v T) {
	v = p.empty(v)
	p.p.Put(&v)
}

type item struct{ next *item }

var items = New(func() []*item { return nil }, cutItems)

func cutItems(s []*item) []*item {
	return s[:0] // want `cutItems, which a pool calls on what is put, cuts s to length 0 but does not clear it`
}

var cleared = New(func() []error { return nil }, clearErrors)

func clearErrors(s []error) []error {
	clear(s)
	return s[:0]
}

var numbers = New(func() []int { return nil }, func(s []int) []int { return s[:0] })

var values = New(func() []any { return nil }, func(s []any) []any {
	return s[:0] // want `the function, which a pool calls on what is put, cuts s to length 0 but does not clear it`
})

// Through a pointer, by a parameter.
var ptrs = sync.Pool{New: func() any { return new([]func()) }}

func put(s *[]func(), empty func(*[]func())) {
	empty(s)
	ptrs.Put(s) // want `\*s is cut to length 0 \(line 56\) but not cleared`
}

func done(s *[]func()) { put(s, cutFuncs) }

func cutFuncs(s *[]func()) {
	*s = (*s)[:0]
}

func doneWell(s *[]func()) { put(s, dropFuncs) }

func dropFuncs(s *[]func()) {
	clear(*s)
	*s = (*s)[:0]
}

// Given to something that is no pool.
type stack[T any] struct{ cut func([]T) []T }

func (s *stack[T]) use(v []T) []T { return s.cut(v) }

var kept = stack[chan int]{cut: func(s []chan int) []chan int { return s[:0] }}

// Elements that are used again.
type row struct{ cells []byte }

var rows = New(func() []row { return nil }, func(s []row) []row { return s[:0] })

func addRow(s []row) []row {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	s = s[:cap(s)]
	return append(s, row{})
}

// Elements that are cleared where the slice is taken at its whole length, and such that are not.
type ticket struct{ next *ticket }

var tickets = New(func() []*ticket { return nil }, cutTickets)

func cutTickets(s []*ticket) []*ticket {
	return s[:0] // want `cutTickets, which a pool calls on what is put, cuts s to length 0 but does not clear it`
}

func allTickets(s []*ticket) []*ticket {
	s = s[:cap(s)]
	clear(s)
	return s
}

type voucher struct{ next *voucher }

var vouchers = New(func() []*voucher { return nil }, func(s []*voucher) []*voucher { return s[:0] })

func oldVouchers(s []*voucher) []*voucher { return s[:cap(s)] }
