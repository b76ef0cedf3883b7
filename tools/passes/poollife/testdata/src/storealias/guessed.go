// SPDX-License-Identifier: BSD-3-Clause

package storealias

import "sync"

// A scope is pooled, and leads to a pooled level, which keeps what was pushed until the scope is popped.
type scope struct {
	level *level
	outer *scope
	depth *int
}

type level struct{ what any }

var (
	scopes = sync.Pool{New: func() any { return new(scope) }}
	levels = sync.Pool{New: func() any { return new(level) }}
	folds  = sync.Pool{New: func() any { return new(foldOf) }}
)

func (s *scope) push(what any) *scope {
	c := scopes.Get().(*scope)
	c.outer, c.depth = s, s.depth
	c.level = levels.Get().(*level)
	c.level.what = what
	return c
}

func (s *scope) pop() {
	if s.outer == nil {
		return // the outermost one stays
	}
	s.level.what = nil
	levels.Put(s.level)
	s.level, s.outer, s.depth = nil, nil, nil
	scopes.Put(s)
}

type foldOf struct {
	in *scope
	n  int
}

// Right: code out of view has had the scope, which has an outer one still.
func foldIn(s *scope, eval func(*scope) any) any {
	f := folds.Get().(*foldOf)
	f.in = s.push(f)
	defer func() {
		f.in.pop()
		f.in, f.n = nil, 0
		folds.Put(f)
	}()
	f.n = 1
	return eval(f.in)
}
