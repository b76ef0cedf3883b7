// SPDX-License-Identifier: BSD-3-Clause

package leftover

import "sync"

// What a pooled struct counts, and the structs in an array of its own count in the same way.

type hits struct{ found, missed int }

type probe struct {
	words []string
	n     hits
}

func (p *probe) look(word string) bool {
	for _, w := range p.words {
		if w == word {
			p.n.found++
			return true
		}
	}
	p.n.missed++
	return false
}

// Wrong: neither is set back.
type survey struct {
	probes [3]probe
	used   int
	n      hits
}

var surveys = sync.Pool{New: func() any { return new(survey) }}

func openSurvey(lists ...[]string) *survey {
	s := surveys.Get().(*survey)
	s.used = 0
	for i, l := range lists {
		s.probes[i].words = l
		s.used++
	}
	return s
}

func (s *survey) ask(word string) bool {
	for i := range s.probes[:s.used] {
		if s.probes[i].look(word) {
			s.n.found++
			return true
		}
	}
	return false
}

func (s *survey) Hits() hits { return s.n }

func (s *survey) close() {
	for i := range s.probes {
		s.probes[i].words = nil
	}
	surveys.Put(s) // want `field found of the pooled survey is added to \(line \d+\), given out \(line \d+\) and never set back`
}

// Right: all of it is set back.
type marks struct{ good, bad int }

type paper struct {
	answers []bool
	m       marks
}

func (p *paper) grade() {
	for _, a := range p.answers {
		if a {
			p.m.good++
		} else {
			p.m.bad++
		}
	}
}

type exam struct {
	papers [3]paper
	used   int
	m      marks
}

var exams = sync.Pool{New: func() any { return new(exam) }}

func openExam(lists ...[]bool) *exam {
	e := exams.Get().(*exam)
	e.used = 0
	for i, l := range lists {
		e.papers[i].answers = l
		e.used++
	}
	return e
}

func (e *exam) grade() {
	for i := range e.papers[:e.used] {
		e.papers[i].grade()
		e.m.good++
	}
}

func (e *exam) Marks() marks { return e.m }

func (e *exam) close() {
	*e = exam{}
	exams.Put(e)
}

// Right: those in the array are set back one by one, by a method of theirs, and the sum with them.
type lap struct{ turns, stops int }

type runner struct {
	name string
	l    lap
}

func (r *runner) turn() { r.l.turns++ }

func (r *runner) rest() { r.name, r.l = "", lap{} }

type race struct {
	runners [4]runner
	l       lap
	length  int
}

var races = sync.Pool{New: func() any { return new(race) }}

func openRace(length int) *race {
	r := races.Get().(*race)
	r.length = length
	return r
}

func (r *race) run() {
	for i := range r.runners {
		r.runners[i].turn()
		r.l.turns++
	}
}

func (r *race) Laps() lap { return r.l }

func (r *race) close() {
	for i := range r.runners {
		r.runners[i].rest()
	}
	r.l = lap{}
	races.Put(r)
}
