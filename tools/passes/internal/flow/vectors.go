// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pooled struct may hold scratch slices of full length, whose elements each user
// sets by index: the segments of a vectored write, the columns of a row. Nothing cuts
// such a slice, so that nothing reminds of clearing it either.

// judgeVectors reports pooled structs with scratch slices that nothing clears.
func (a *analysis) judgeVectors() {
	f := a.uses()
	done := map[*types.Named]bool{}
	for _, p := range f.puts {
		t := p.typ
		if t.Obj().Pkg() != a.pkg.Pkg || done[t] || a.inTest(p.fn) {
			continue
		}
		done[t] = true
		at := f.putOf(t)
		if at == nil || a.foundIn(retainedRefs, at.Parent()) {
			continue
		}
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
			_, elem := elementType(v.Type())
			if elem == nil || !pointsOut(elem) || !a.madeLong(v) || a.clearsAny(elem) {
				return
			}
			ff := f.facts[v]
			if ff == nil || slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.what == wZero || s.what == wDerived }) {
				return
			}
			set := a.setByIndex(ff)
			if set == nil {
				return
			}
			a.reportFound(finding{
				pattern: retainedRefs, pos: instrPos(at), fn: at.Parent(),
				message: fmt.Sprintf("%s still leads to what the last user set in the elements of %s, which nothing clears: the pool keeps that alive", a.putIn(at, t), v.Name()),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(set), Message: "an element is set here"}},
			})
		})
	}
}

// pointsOut is leadsOut for elements that are, or hold, pointers to memory: strings do not count.
func pointsOut(t types.Type) bool {
	if t == nil {
		return false
	}
	if isTypeParam(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature, *types.Map, *types.Slice:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if pointsOut(f.Type()) {
				return true
			}
		}
	}
	return false
}

// madeLong reports whether the field is made with a length where the struct is made.
func (a *analysis) madeLong(v *types.Var) bool {
	for _, fn := range a.fns {
		found := false
		eachStore(fn, func(s *ssa.Store) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok {
				return
			}
			st := structOf(fa.X.Type())
			if st == nil || st.Field(fa.Field).Origin() != v {
				return
			}
			switch m := s.Val.(type) {
			case *ssa.MakeSlice:
				c, isConst := m.Len.(*ssa.Const)
				found = found || !isConst || c.Value != nil && !isZero(c.Value)
			case *ssa.Slice:
				al, ok := m.X.(*ssa.Alloc)
				if !ok || al.Comment != "makeslice" {
					return
				}
				c, isConst := m.High.(*ssa.Const)
				found = found || m.High == nil || isConst && c.Value != nil && !isZero(c.Value)
			}
		})
		if found {
			return true
		}
	}
	return false
}

// clearsAny reports whether some function of the package clears elements of slices of that type.
func (a *analysis) clearsAny(elem types.Type) bool {
	key := types.TypeString(elem, nil)
	clears, ok := a.clearing[key]
	if !ok {
		clears = a.findClearing(elem)
		if a.clearing == nil {
			a.clearing = map[string]bool{}
		}
		a.clearing[key] = clears
	}
	return clears
}

func (a *analysis) findClearing(elem types.Type) bool {
	for _, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			c, isConst := i.Val.(*ssa.Const)
			if ia := elementOf(i.Addr); ia != nil && sameElem(ia.X.Type(), elem) && isConst && (c.Value == nil || isZero(c.Value)) && pointsOut(i.Val.Type()) {
				return true
			}
		case *ssa.Call:
			if bi, ok := i.Call.Value.(*ssa.Builtin); ok && bi.Name() == "clear" && (sameElem(i.Call.Args[0].Type(), elem) || a.clearsForAll(i, elem)) || a.clearedElsewhere(i, elem) {
				return true
			}
			// A method of the element may clear it.
			for _, x := range i.Call.Args {
				if ia := elementOf(x); ia != nil && sameElem(ia.X.Type(), elem) {
					return true
				}
			}
		}
	}
	return false
}

// setByIndex finds where an element of the slice in a field is set, also by a function that
// is given the slice.
func (a *analysis) setByIndex(ff *fieldFacts) ssa.Instruction {
	var best ssa.Instruction
	seen := map[ssa.Value]bool{}
	var follow func(v ssa.Value, depth int)
	follow = func(v ssa.Value, depth int) {
		refs := v.Referrers()
		if depth > 6 || seen[v] || refs == nil {
			return
		}
		seen[v] = true
		for _, r := range *refs {
			switch r := r.(type) {
			case *ssa.Slice:
				follow(r, depth+1)
			case *ssa.Phi:
				follow(r, depth+1)
			case *ssa.IndexAddr:
				setThrough(r, func(s *ssa.Store) {
					if _, isConst := s.Val.(*ssa.Const); !isConst && !ownPart(s.Val, r.X, 0) && (best == nil || instrPos(s) < instrPos(best)) {
						best = s
					}
				}, 0)
			case ssa.CallInstruction:
				fn := a.calledFunction(r)
				if fn == nil || r.Common().IsInvoke() {
					continue
				}
				for k, x := range r.Common().Args {
					if x == v && k < len(fn.Params) {
						follow(fn.Params[k], depth+1)
					}
				}
			}
		}
	}
	for _, r := range ff.reads {
		if v, ok := r.(ssa.Value); ok && !a.inTest(r.Parent()) {
			follow(v, 0)
		}
	}
	return best
}

// ownPart reports whether a value is part of an element of the slice itself, or was made
// on the spot: equipment, not a user's.
func ownPart(v, slice ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Slice:
		return ownPart(x.X, slice, depth+1)
	case *ssa.MakeSlice, *ssa.Alloc, *ssa.MakeMap:
		return true
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && ownPart(x.Call.Args[0], slice, depth+1)
	case *ssa.UnOp:
		ia, ok := x.X.(*ssa.IndexAddr)
		return ok && (ia.X == slice || oneRead(ia.X, slice, 0) || fieldRead(ia.X) != nil && fieldRead(ia.X) == fieldRead(slice))
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !ownPart(e, slice, depth+2) {
				return false
			}
		}
		return true
	}
	return false
}

// setThrough sees the stores of pointers to an element, or to its fields.
func setThrough(addr ssa.Value, see func(*ssa.Store), depth int) {
	if depth > 3 {
		return
	}
	for _, r := range referrers(addr) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr && pointsOut(r.Val.Type()) {
				see(r)
			}
		case *ssa.FieldAddr:
			setThrough(r, see, depth+1)
		}
	}
}
