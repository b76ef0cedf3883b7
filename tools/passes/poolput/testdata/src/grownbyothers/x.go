// SPDX-License-Identifier: BSD-3-Clause

package grownbyothers

// A list of spans of any number is given by its address to who fills it.

type span struct{ from, to int64 }

type spanLists struct{ idle chan []span }

var lists = spanLists{idle: make(chan []span, 8)}

func (l *spanLists) take() []span {
	select {
	case s := <-l.idle:
		return s
	default:
		return make([]span, 0, 32)
	}
}

func (l *spanLists) give(s []span) {
	select {
	case l.idle <- s[:0]:
	default:
	}
}

type source interface {
	Spans(id uint64, into *[]span) error
	Count(of []span) int
}

// Wrong: what Spans appends is lost.
func visit(src source, ids []uint64, f func([]span) bool) error {
	spans := lists.take()
	defer lists.give(spans) // want `the deferred call puts spans as it is here, but its address is passed to Spans later \(line \d+\): where that makes it grow, the grown array is lost`
	for _, id := range ids {
		if err := src.Spans(id, &spans); err != nil {
			return err
		}
		if !f(spans) {
			break
		}
	}
	return nil
}

// Wrong: a function in a variable.
func total(fill func(*[]span), src source) int {
	spans := lists.take()
	defer lists.give(spans) // want `the deferred call puts spans as it is here, but its address is passed to fill later`
	fill(&spans)
	return src.Count(spans)
}

// Wrong: a function in view appends.
func one(s span, f func([]span)) {
	spans := lists.take()
	defer lists.give(spans) // want `the deferred call puts spans as it is here, but it is appended to later \(line \d+\)`
	add(s, &spans)
	f(spans)
}

func add(s span, to *[]span) { *to = append(*to, s) }

// Wrong: with no function between.
func two(a, b span, f func([]span)) {
	spans := lists.take()
	defer lists.give(spans) // want `the deferred call puts spans as it is here, but it is appended to later \(line \d+\)`
	spans = append(spans, a, b)
	f(spans)
}

func visitLate(src source, ids []uint64, f func([]span) bool) error { // right: bound at the end
	spans := lists.take()
	defer func() { lists.give(spans) }()
	for _, id := range ids {
		if err := src.Spans(id, &spans); err != nil {
			return err
		}
		f(spans)
	}
	return nil
}

func fillFirst(src source, id uint64, f func([]span)) error { // right: it has grown before
	spans := lists.take()
	err := src.Spans(id, &spans)
	defer lists.give(spans)
	f(spans)
	return err
}

func count(src source) int { // right: the slice, not its address
	spans := lists.take()
	defer lists.give(spans)
	return src.Count(spans)
}

// Right: the method in view only looks at it.

type meter interface{ width(of *[]span) int64 }

type sum struct{}

func (sum) width(of *[]span) (n int64) {
	for _, s := range *of {
		n += s.to - s.from
	}
	return n
}

func measure(m meter) int64 {
	spans := lists.take()
	defer lists.give(spans)
	n := m.width(&spans)
	return n + int64(len(spans))
}
