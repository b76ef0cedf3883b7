// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function without a result that puts its argument on some paths only has decided, where
// it has one Put, or is named for that. One that does something with the value, and puts it
// in the same pool at the end of several arms, forgot it in the one that does not.

// putsInArms reports whether the exits of an activation put a value in one pool in several
// places, in a function that is not named for it.
func putsInArms(fn *ssa.Function, exits []exit, t *sym) bool {
	if givesBack(fn.Name()) {
		return false
	}
	var first ssa.Instruction
	var pool *pool
	several := false
	for _, e := range exits {
		r := e.st.rel[t]
		if r == nil {
			continue
		}
		n := len(e.st.f.stack)
		if r.async || r.deferred || r.pool == nil || pool != nil && r.pool != pool || len(r.stack) <= n || r.stack[n].Parent() != fn {
			return false
		}
		pool = r.pool
		if first == nil {
			first = r.stack[n]
		}
		several = several || r.stack[n].Block() != first.Block()
	}
	return several
}

// inPlaceOfOne reports whether a value was made by a function that takes such values from a
// pool: the pool had none.
func inPlaceOfOne(v *sym) bool {
	i, ok := v.obj.(*ssa.Alloc)
	if !ok || v.kind != kAlloc {
		return false
	}
	for x := range instrsOf(i.Parent()) {
		if t, ok := x.(*ssa.TypeAssert); ok && types.Identical(t.AssertedType, i.Type()) {
			if c, ok := t.X.(*ssa.Call); ok && calledMethod(c) != nil {
				if pf, ok := poolFuncOf(calledMethod(c)); ok && pf.acquire {
					return true
				}
			}
		}
	}
	return false
}
