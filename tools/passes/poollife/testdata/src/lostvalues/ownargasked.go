// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

// A value that was made only to be asked for its methods is released in place of each one
// that is given; the parameter needs no name for that.

type scrap interface{ Size() int }

func (p *piece) Size() int { return 1 }

type scraps struct {
	fresh func() scrap
	drop  func(scrap)
}

func newScraps(fresh func() scrap) *scraps {
	s := &scraps{fresh: fresh, drop: func(scrap) {}}
	if r, ok := fresh().(recycler); ok {
		s.drop = func(scrap) { r.Recycle() } // want `the function is given a value to release, but releases a value that it captured`
	}
	return s
}

func dropsGeneric[T any](newT func() T) func(T) {
	r, ok := any(newT()).(recycler)
	if !ok {
		return nil
	}
	return func(_ T) { r.Recycle() } // want `the function is given a value to release, but releases a value that it captured`
}

func dropsAsked(fresh func() scrap) func(scrap) {
	if _, ok := fresh().(recycler); !ok {
		return nil
	}
	return func(s scrap) { s.(recycler).Recycle() }
}

// Here it is the one that others have.
type session struct {
	p    scrap
	done func(scrap)
}

func startSession(fresh func() scrap) *session {
	p := fresh()
	s := &session{p: p}
	if r, ok := p.(recycler); ok {
		s.done = func(scrap) { r.Recycle() }
	}
	return s
}

func endsOne(fresh func() scrap, run func(scrap)) func(scrap) {
	p := fresh()
	run(p)
	r, _ := p.(recycler)
	return func(scrap) { r.Recycle() }
}
