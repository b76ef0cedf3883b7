// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An implementation in view of an interface's method that stores what it is given keeps it: bytes
// of a buffer in an object that the path was given, and that it puts after the call.

// keptBy reports whether one of the callees stores something in memory that outlives it, where
// the path gives it bytes in memory of what the root was given.
func (a *analysis) keptBy(fns, args []*sym) bool {
	if !a.relevant[a.root] {
		return false
	}
	given := slices.ContainsFunc(args, func(x *sym) bool {
		return x.typ != nil && isBytes(x.typ) && x.kind != kParam && x.base().kind == kParam
	})
	return given && slices.ContainsFunc(fns, func(f *sym) bool { return a.keepsBytes(f.obj.(*ssa.Function)) })
}

// keepsBytes reports whether a function stores a parameter that is a slice of bytes, as it is or
// in a struct, in a map, or a field that is no local variable's.
func (a *analysis) keepsBytes(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if isBytes(p.Type()) && leavesIn(p, 0) {
			return true
		}
	}
	return false
}

// leavesIn reports whether a value is stored in memory that is not a local variable's.
func leavesIn(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 4 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Value == v {
				return true
			}
		case *ssa.Slice:
			if leavesIn(r, depth+1) {
				return true
			}
		case *ssa.Store:
			if r.Val != v {
				continue
			}
			al, local := variableOf(r.Addr).(*ssa.Alloc)
			if !local || al.Heap {
				return true
			}
			for _, u := range referrers(al) {
				if l, ok := u.(*ssa.UnOp); ok && hasPointers(l.Type()) && leavesIn(l, depth+1) {
					return true
				}
			}
		}
	}
	return false
}
