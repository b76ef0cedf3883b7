// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An element of a slice is let go of, too, by moving another one over it.

// movedWithin reports whether an element that was read from the slice in a field is
// only stored in the same slice again.
func movedWithin(v ssa.Value, fa *ssa.FieldAddr) bool {
	moved := false
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			to, ok := r.Addr.(*ssa.IndexAddr)
			if !ok || !loadsField(to.X, fa) {
				return false
			}
			moved = true
		default:
			return false
		}
	}
	return moved
}

// loadsField reports whether a value is what the same field holds.
func loadsField(v ssa.Value, fa *ssa.FieldAddr) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	same, ok := l.X.(*ssa.FieldAddr)
	return ok && same.Field == fa.Field && same.X == fa.X
}

// movedOver reports whether a store puts an element of the slice in a field, or nil, in
// the place of another.
func movedOver(s *ssa.Store, fa *ssa.FieldAddr) bool {
	if isNilConst(s.Val) {
		return true
	}
	l, ok := s.Val.(*ssa.UnOp)
	if !ok {
		return false
	}
	from, ok := l.X.(*ssa.IndexAddr)
	return ok && loadsField(from.X, fa)
}

// closesGap reports whether a call moves the rest of a slice in a field down over some of
// its elements: append(s[:i], s[i+1:]...) where s is set to the result, or copy(s[i:], s[i+1:]).
func closesGap(call *ssa.Call, fa *ssa.FieldAddr) (drops, ok bool) {
	bi, isBuiltin := call.Call.Value.(*ssa.Builtin)
	if !isBuiltin || bi.Name() != "append" && bi.Name() != "copy" {
		return false, false
	}
	for _, x := range call.Call.Args {
		s, isSlice := x.(*ssa.Slice)
		if !isSlice || !loadsField(s.X, fa) {
			return false, false
		}
	}
	if bi.Name() == "copy" {
		return false, true
	}
	for _, r := range referrers(call) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			to, isField := r.Addr.(*ssa.FieldAddr)
			if !isField || to.Field != fa.Field || to.X != fa.X {
				return false, false
			}
			drops = true
		default:
			return false, false
		}
	}
	return drops, drops
}

// toldWhich reports whether a function is given anything but numbers and texts: it may be
// told what to let go of by the element.
func toldWhich(fn *ssa.Function) bool {
	for k, p := range fn.Params {
		if (k > 0 || fn.Signature.Recv() == nil) && hasPointers(p.Type()) && !isText(p.Type()) {
			return true
		}
	}
	return false
}

// takenNear reports whether a function, or who calls it, also calls one that takes elements
// out of the container; or whether others can, who are not in view.
func (c *custody) takenNear(fn *ssa.Function, f *types.Var, users map[*ssa.Function]*handling) bool {
	takes := func(root *ssa.Function) bool {
		for g := range c.reaches(root) {
			if h := users[g]; h != nil && h.takes {
				return true
			}
		}
		return false
	}
	for _, call := range c.a.callsOf(fn) {
		root := call.Parent()
		for root.Parent() != nil {
			root = root.Parent()
		}
		if takes(root) {
			return true
		}
	}
	if !exportedRoot(fn) {
		return false
	}
	for g, h := range users {
		if h.takes && exportedRoot(g) && c.handsOut(g, f) {
			return true
		}
	}
	return false
}

// handsOut reports whether a function returns pointers that may be to an element of a field. Bytes are none
// where the elements are structs: who has them has nothing to put.
func (c *custody) handsOut(fn *ssa.Function, f *types.Var) bool {
	structs := false
	if l, ok := f.Type().Underlying().(interface{ Elem() types.Type }); ok {
		_, structs = deref(l.Elem()).Underlying().(*types.Struct)
	}
	for v := range fn.Signature.Results().Variables() {
		if s, isSlice := v.Type().Underlying().(*types.Slice); isSlice && structs && !hasPointers(s.Elem()) {
			continue
		}
		if !isError(v.Type()) && hasPointers(v.Type()) && !isText(v.Type()) {
			return true
		}
	}
	return false
}

// leavesPut reports whether some function puts elements and leaves them in the container:
// another may then delete them.
func (c *custody) leavesPut(f *types.Var, users map[*ssa.Function]*handling) bool {
	for fn := range c.putsField[f] {
		if h := users[fn]; h != nil && h.drop == nil && !h.cleared {
			return true
		}
	}
	return false
}
