// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Who extends a slice within its capacity finds the elements of the last user, and may use the
// memory that they have again. Where they have none of their own, what they lead to is
// only kept alive: strings are replaced as a whole, and so are values that a caller gave.

// hasRoom reports whether elements of a slice may have memory that is worth to be used again.
func (a *analysis) hasRoom(elem types.Type) bool {
	room, boxes := roomIn(elem, 0)
	return room || boxes && !a.givenOnly(elem)
}

// roomIn reports whether a type has memory of its own, and whether it has interfaces, which
// may lead to some.
func roomIn(t types.Type, depth int) (room, boxes bool) {
	if isTypeParam(t) || depth > 4 {
		return true, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		return false, false
	case *types.Interface:
		return u.NumMethods() > 0, true
	case *types.Struct:
		for f := range u.Fields() {
			r, b := roomIn(f.Type(), depth+1)
			room, boxes = room || r, boxes || b
		}
		return room, boxes
	case *types.Array:
		return roomIn(u.Elem(), depth+1)
	}
	return true, false
}

// givenOnly reports whether the package sets elements of slices of a type to what functions
// are given, and to nothing else.
func (a *analysis) givenOnly(elem types.Type) (given bool) {
	other := false
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			ia := elementOf(s.Addr)
			if ia == nil || !sameElem(ia.X.Type(), elem) || !leadsOut(s.Val.Type()) {
				return
			}
			if _, isConst := s.Val.(*ssa.Const); isConst {
				return
			}
			if givenElement(s.Val, 0) {
				given = true
			} else {
				other = true
			}
		})
	}
	return given && !other
}

// givenElement reports whether what an element is set to is what a function was given, or a
// literal with that in it: it is filled, not cleared.
func givenElement(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	switch x := unboxed(v).(type) {
	case *ssa.Parameter:
		return true
	case *ssa.FreeVar:
		return givenTo(x, depth)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		switch from := x.X.(type) {
		case *ssa.Parameter:
			return true // what it points to
		case *ssa.FreeVar:
			return givenTo(from, depth)
		case *ssa.Alloc:
			for _, r := range referrers(from) {
				if s, ok := r.(*ssa.Store); ok && s.Addr == from && givenElement(s.Val, depth+1) {
					return true
				}
				fa, ok := r.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				for _, q := range referrers(fa) {
					if s, ok := q.(*ssa.Store); ok && s.Addr == fa && givenElement(s.Val, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// givenTo reports whether what a closure captured is what the function around it was given.
func givenTo(v *ssa.FreeVar, depth int) bool {
	in := v.Parent().Parent()
	k := slices.Index(v.Parent().FreeVars, v)
	if in == nil || k < 0 {
		return false
	}
	for i := range instrsOf(in) {
		m, ok := i.(*ssa.MakeClosure)
		if !ok || m.Fn != v.Parent() {
			continue
		}
		al, ok := m.Bindings[k].(*ssa.Alloc)
		if !ok {
			return givenElement(m.Bindings[k], depth+1)
		}
		for _, r := range referrers(al) {
			if s, ok := r.(*ssa.Store); ok && s.Addr == al && givenElement(s.Val, depth+1) {
				return true
			}
		}
	}
	return false
}
