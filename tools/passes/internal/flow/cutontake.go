// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A slice in a pooled struct may be cut to length 0 when the struct is taken, not when it is put. For
// who takes it that is right, but between the two the pool keeps alive what the elements lead
// to, and what is behind the new length until it is set again.

// judgeCutOnTake reports slices of pooled structs that are filled and cut, and never cleared.
func (a *analysis) judgeCutOnTake() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		at := f.putOf(t)
		if at == nil || a.foundIn(retainedRefs, at.Parent()) {
			continue
		}
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
			_, elem := elementType(v.Type())
			ff := f.facts[v]
			if elem == nil || ff == nil || a.foundIn(retainedRefs, at.Parent()) || !pointsOut(elem) || longLived(elem) || generic(elem) || a.clearsAny(elem) || f.elementsUsedAgain(elem, v) {
				return
			}
			fill := f.cutAndFilled(ff, t)
			if fill == nil || f.loans(v) {
				return
			}
			a.reportFound(finding{
				pattern: retainedRefs, pos: instrPos(at), fn: at.Parent(),
				message: fmt.Sprintf("%s still leads to what the last user appended to %s (%s), which is cut for the next one but never cleared: the pool keeps that alive", a.putIn(at, t), v.Name(), a.line(instrPos(fill))),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(fill), Message: "appended here"}},
			})
		})
	}
}

// cutAndFilled is an append of a user's value to a field, if all else that is done with the field is to
// make it and to cut it.
func (f *forgotten) cutAndFilled(ff *fieldFacts, t *types.Named) (fill ssa.Instruction) {
	cut := false
	for _, s := range ff.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok {
			return nil
		}
		switch v := st.Val.(type) {
		case *ssa.Slice:
			if o, ok := v.High.(*ssa.BinOp); v.High == nil || v.Low != nil || ok && o.Op == token.SUB {
				return nil // elements are taken out again
			}
			cut = true
		case *ssa.MakeSlice:
		case *ssa.Call:
			b, ok := v.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "append" {
				return nil
			}
			if x, ok := v.Call.Args[0].(*ssa.Slice); ok && emptyCut(x) {
				cut = true
			}
			if (usersElement(v.Call.Args[1], 0) || f.usersBytes(v.Call.Args[1])) && (fill == nil || instrPos(st) < instrPos(fill)) {
				fill = st
			}
		default:
			return nil
		}
	}
	if !cut {
		return nil
	}
	return fill
}

// usersElement reports whether what is appended was given, or found in what was given: not made there.
func usersElement(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	if x := onlyElement(v); x != nil && depth == 0 {
		return usersElement(x, 1)
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		return x.Parent().Signature.Recv() == nil || x != x.Parent().Params[0]
	case *ssa.MakeInterface:
		return usersElement(x.X, depth+1)
	case *ssa.ChangeType:
		return usersElement(x.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return usersElement(e, depth+2) })
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		switch from := x.X.(type) {
		case *ssa.IndexAddr:
			return true // of another slice
		case *ssa.Alloc:
			// A literal, by its parts.
			for _, r := range referrers(from) {
				fa, ok := r.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				for _, q := range referrers(fa) {
					if s, ok := q.(*ssa.Store); ok && s.Addr == fa && pointsOut(s.Val.Type()) && usersElement(s.Val, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// usersBytes reports whether what is appended are bytes that were cut from those that a function was given, and that are
// not the struct's own, or a copy of what it was given, which nobody has after that.
func (f *forgotten) usersBytes(v ssa.Value) bool {
	x := onlyElement(v)
	if x == nil || !isBytes(x.Type()) {
		return false
	}
	cut := false
	for {
		switch y := x.(type) {
		case *ssa.Slice:
			x, cut = y.X, true
			continue
		case *ssa.Convert:
			return isString(y.X.Type())
		case *ssa.Call:
			return funcKey(calledMethod(y)) == "bytes.Clone"
		case *ssa.Parameter:
			return cut && usersElement(y, 1) && !f.givenOwn(y)
		}
		return false
	}
}

// givenOwn reports whether a caller gives a function what it read from a field, or what a method of a field's gave.
func (f *forgotten) givenOwn(p *ssa.Parameter) bool {
	k := slices.Index(p.Parent().Params, p)
	return slices.ContainsFunc(f.callers[p.Parent()], func(c ssa.CallInstruction) bool {
		if c.Common().IsInvoke() || k >= len(c.Common().Args) {
			return true
		}
		x := c.Common().Args[k]
		for {
			switch y := x.(type) {
			case *ssa.Slice:
				x = y.X
				continue
			case *ssa.Call:
				if m := calledMethod(y); m != nil && m.Signature().Recv() != nil && !y.Call.IsInvoke() && len(y.Call.Args) > 0 {
					_, isField := y.Call.Args[0].(*ssa.FieldAddr)
					return isField || fieldRead(y.Call.Args[0]) != nil
				}
			}
			return fieldRead(x) != nil
		}
	})
}

// elementsUsedAgain reports whether elements behind the length of the slice in a field, or of one that may be that, are
// looked at: their memory is to be used again.
func (f *forgotten) elementsUsedAgain(elem types.Type, v *types.Var) bool {
	for _, fn := range f.a.fns {
		for i := range instrsOf(fn) {
			ia, ok := i.(*ssa.IndexAddr)
			if !ok || !sameElem(ia.X.Type(), elem) || !f.lengthened(ia.X, 0) {
				continue
			}
			list := ia.X
			if s, ok := list.(*ssa.Slice); ok {
				list = s.X
			}
			if of := fieldRead(list); of != nil && of != v.Origin() {
				continue // of another struct
			}
			for _, r := range referrers(ia) {
				if s, ok := r.(*ssa.Store); !ok || s.Addr != ia {
					return true
				}
			}
		}
	}
	return false
}

// loans reports whether the slice in a field goes to code that may keep or clear it: its
// address, or the slice itself to a function that deletes elements.
func (f *forgotten) loans(v *types.Var) bool {
	for _, fn := range f.a.fns {
		for i := range instrsOf(fn) {
			fa, ok := i.(*ssa.FieldAddr)
			if !ok || fieldAt(fa) != v {
				continue
			}
			for _, r := range referrers(fa) {
				switch r := r.(type) {
				case *ssa.Store:
					if r.Addr != fa {
						return true
					}
				case *ssa.UnOp:
					for _, q := range referrers(r) {
						if m := calledMethod(q); m != nil && m.Pkg() != nil && m.Pkg().Path() == "slices" && strings.HasPrefix(m.Name(), "Delete") {
							return true
						}
					}
				case *ssa.DebugRef:
				default:
					return true
				}
			}
		}
	}
	return false
}
