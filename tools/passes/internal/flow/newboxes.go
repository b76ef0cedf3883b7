// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Who takes a value out of a struct that was around it in the pool, and puts a new struct around it for the
// Put, loses the struct each time and nothing that counts. Generic wrappers have values of any type in variables.

// takenOutOfBox reports whether somebody has what was in t, a struct of one field or a variable of any type, and the
// package makes new ones of the kind for what it puts.
func (a *analysis) takenOutOfBox(st *state, kept map[*sym]bool, t *sym) bool {
	if t.typ == nil {
		return false
	}
	if isSlice(deref(t.typ)) {
		// What was there had no room, and is not the path's any more.
		v := st.mem[t]
		return v != nil && memory(v).kind == kAlloc && (kept[v] || kept[memory(v)]) && a.boxesAnew(t.typ)
	}
	if isTypeParam(deref(t.typ)) {
		for x := range kept {
			if x.kind == kLoad && x.a == t {
				return a.boxesAnew(t.typ)
			}
		}
		return false
	}
	s := structOf(t.typ)
	if s == nil || s.NumFields() != 1 || !pointery(s.Field(0).Type()) {
		return false
	}
	for x := range kept {
		if x.kind == kLoad && x.a.kind == kField && x.a.a == t {
			return a.boxesAnew(t.typ)
		}
	}
	return false
}

// boxesAnew reports whether a function of the package puts a struct, or a variable of any type, that it made, with
// something in it.
func (a *analysis) boxesAnew(t types.Type) bool {
	for _, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok || calledMethod(c) == nil {
			continue
		}
		if pf, ok := poolFuncOf(calledMethod(c)); !ok || pf.release < 0 {
			continue
		}
		for _, arg := range c.Common().Args {
			box, ok := unboxed(arg).(*ssa.Alloc)
			switch {
			case !ok:
			case isTypeParam(deref(t)):
				if isTypeParam(deref(box.Type())) && setAsWhole(box) {
					return true
				}
			case !types.Identical(box.Type(), t):
			case isSlice(deref(t)) && setAsWhole(box):
				return true
			case filledFirst(box):
				return true
			}
		}
	}
	return false
}

// setAsWhole reports whether a variable is set.
func setAsWhole(box *ssa.Alloc) bool {
	return slices.ContainsFunc(referrers(box), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Addr == ssa.Value(box)
	})
}

// filledFirst reports whether something is stored in the first field of a struct that a function makes.
func filledFirst(box *ssa.Alloc) bool {
	for _, r := range referrers(box) {
		f, ok := r.(*ssa.FieldAddr)
		if !ok || f.Field != 0 {
			continue
		}
		for _, s := range referrers(f) {
			if st, ok := s.(*ssa.Store); ok && st.Addr == ssa.Value(f) && !isNilConst(st.Val) {
				return true
			}
		}
	}
	return false
}
