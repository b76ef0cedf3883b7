// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// madeToPut reports whether an object was made for a put alone, by a function that passes it to
// the one that puts: it is set, and given to the call, and nothing else.
func madeToPut(x *sym, put event) bool {
	al, ok := x.obj.(*ssa.Alloc)
	if !ok || al.Referrers() == nil {
		return false
	}
	passed := false
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
		case *ssa.Store:
			if r.Val == ssa.Value(al) {
				return false
			}
		case *ssa.Call:
			if !slices.Contains(put.stack, ssa.Instruction(r)) {
				return false
			}
			passed = true
		default:
			return false
		}
	}
	return passed
}
