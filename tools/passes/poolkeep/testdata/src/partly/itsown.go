// SPDX-License-Identifier: BSD-3-Clause

package partly

import "sync"

// A field that is set to what is in it has nothing of the last user's. One that is set to something else has.

type grade struct {
	bad  bool
	note string
}

type essay struct {
	title string
	grade *grade
}

type grader interface{ grade(*essay) *grade }

type titleGrader map[string]bool

func (t titleGrader) grade(e *essay) *grade {
	if !t[e.title] {
		e.grade.bad, e.grade.note = true, "unknown"
	}
	return e.grade
}

type school struct {
	graders []grader
	essays  sync.Pool
}

func newSchool(graders ...grader) *school {
	return &school{graders: graders, essays: sync.Pool{New: func() any { return &essay{grade: &grade{}} }}}
}

func (s *school) graded(e *essay) *grade {
	for _, g := range s.graders {
		if e.grade = g.grade(e); e.grade.bad {
			return e.grade
		}
	}
	*e.grade = grade{}
	return e.grade
}

func (s *school) accept(title string) (string, bool) {
	e := s.essays.Get().(*essay)
	e.title = title
	g := *s.graded(e)
	*e.grade = grade{}
	s.essays.Put(e)
	return g.note, !g.bad
}

type poem struct {
	title string
	mark  *grade
}

type marker interface{ mark(*poem) *grade }

type sameMarker struct{}

func (sameMarker) mark(p *poem) *grade { return p.mark }

type titleMarker map[string]*grade

func (t titleMarker) mark(p *poem) *grade { return t[p.title] }

var poems = sync.Pool{New: func() any { return &poem{mark: &grade{}} }}

func marked(markers []marker, title string) (string, bool) {
	p := poems.Get().(*poem)
	p.title = title
	for _, m := range markers {
		p.mark = m.mark(p) // want `field mark of the poem from a pool is set only where it applies`
	}
	note, bad := p.mark.note, p.mark.bad
	poems.Put(p)
	return note, !bad
}
