// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A slice b[:n:n] has no capacity beyond n. Whoever puts it in a pool gives back that
// part of its array only: the pool fills with short slices, or refuses them by their
// capacity.

// judgeCutCap reports Puts of slices whose capacity was cut to their length.
func (a *analysis) judgeCutCap() {
	for c := range a.poolCalls("Put") {
		cut := a.cutCap(unboxed(c.Common().Args[1]), c, 0, map[ssa.Value]bool{})
		if cut == nil {
			continue
		}
		a.reportFound(finding{
			pattern: staleHeader, pos: instrPos(c), fn: c.Parent(),
			message: fmt.Sprintf("%s is put with its capacity cut to its length (%s): the pool gets that part of the array only, or drops it for its capacity; cut a copy of the header", orElse(a.putNameAt(c), "the slice"), a.line(instrPos(cut))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(cut), Message: "cut here"}},
			more:    a.usersOfStatic(c),
		})
	}
}

// cutCap finds where the capacity of a slice that is put was cut to what is in use.
func (a *analysis) cutCap(v ssa.Value, put ssa.Instruction, depth int, seen map[ssa.Value]bool) *ssa.Slice {
	if depth > 6 || seen[v] {
		return nil
	}
	seen[v] = true
	stored := func(addr ssa.Value) *ssa.Slice {
		for _, r := range referrers(addr) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == addr && (st.Parent() != put.Parent() || mayFollow(st, put)) {
				if cut := a.cutCap(st.Val, put, depth+1, seen); cut != nil {
					return cut
				}
			}
		}
		return nil
	}
	switch x := v.(type) {
	case *ssa.ChangeType:
		return a.cutCap(x.X, put, depth+1, seen)
	case *ssa.Slice:
		if x.Max != nil && startsThere(x) && a.inUse(x) && !a.exactlyMade(x.X, 0) {
			return x
		}
		if startsThere(x) && x.Max == nil {
			return a.cutCap(x.X, put, depth+1, seen)
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			if cut := a.cutCap(e, put, depth+1, seen); cut != nil {
				return cut
			}
		}
	case *ssa.Alloc:
		return stored(x)
	case *ssa.UnOp:
		if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			return stored(al)
		}
	case *ssa.Parameter:
		fn := x.Parent()
		k := slices.Index(fn.Params, x)
		for _, c := range a.callsOf(fn) {
			if c.Common().IsInvoke() || k >= len(c.Common().Args) || a.inTest(c.Parent()) {
				continue
			}
			if cut := a.cutCap(unboxed(c.Common().Args[k]), c, depth+1, seen); cut != nil {
				return cut
			}
		}
	}
	return nil
}

// startsThere reports whether a slice begins where the one begins that it is cut from.
func startsThere(s *ssa.Slice) bool {
	if !isSlice(s.X.Type()) {
		return false
	}
	c, ok := s.Low.(*ssa.Const)
	return s.Low == nil || ok && c.Value != nil && isZero(c.Value)
}

// inUse reports whether the capacity that a slice is cut to is the length of it: not a
// class, or a limit, that was worked out from the capacity.
func (a *analysis) inUse(s *ssa.Slice) bool {
	if c, ok := s.Max.(*ssa.Call); ok {
		b, ok := c.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len" && (c.Call.Args[0] == s.X || sameVariable(c.Call.Args[0], s.X))
	}
	if s.High != s.Max {
		return false
	}
	x, ok := s.Max.(*ssa.Extract)
	return ok && x.Index == 0 // n of n, err := r.Read(b)
}

// sameVariable reports whether two values are read from one variable.
func sameVariable(x, y ssa.Value) bool {
	l, ok := x.(*ssa.UnOp)
	m, ok2 := y.(*ssa.UnOp)
	return ok && ok2 && l.Op == token.MUL && m.Op == token.MUL && l.X == m.X
}

// exactlyMade reports whether a slice was made in the function, with the length that it has.
func (a *analysis) exactlyMade(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.MakeSlice, *ssa.Alloc:
		return true
	case *ssa.Slice:
		return x.High == nil && a.exactlyMade(x.X, depth+1) || a.fullArray(x)
	case *ssa.UnOp:
		al, ok := x.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		n := 0
		for _, r := range referrers(al) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == al {
				if s, ok := st.Val.(*ssa.Slice); ok && s.Max != nil {
					continue
				}
				if n++; !a.exactlyMade(st.Val, depth+1) {
					return false
				}
			}
		}
		return n > 0
	}
	return false
}

// fullArray reports whether a slice is of an array made for it.
func (a *analysis) fullArray(s *ssa.Slice) bool {
	_, ok := s.X.(*ssa.Alloc)
	return ok
}
