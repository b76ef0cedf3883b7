// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A container that is given to code which is chosen at run time may be taken over there. A function literal that has one
// and is asked to fill something from it, and to tell how that went, takes nothing over: it may be called
// twice, or never, and then nobody else puts what is in the container.

// borrower is a function that has containers of a path and only lends them.
type borrower struct {
	call  ssa.Instruction
	holds map[*sym]bool
}

// onlyBorrows finds what a function that is given to code chosen at run time has and only lends, if all of it is so.
func (a *analysis) onlyBorrows(st *state, i ssa.CallInstruction, target callee, x *sym) *borrower {
	fn, free := x.function()
	if !target.dynamic && !target.iface || fn == nil || len(fn.Blocks) == 0 || x.kind != kClosure || !a.inPackage(fn) || !reportsBack(fn.Signature) || len(free) != len(fn.FreeVars) {
		return nil
	}
	b := &borrower{call: i, holds: map[*sym]bool{}}
	for k, y := range free {
		held := false
		a.reach(st, y, func(z *sym) bool {
			if z.kind == kToken && !st.handed[z] && st.rel[z] == nil {
				held = true
			}
			return true
		})
		if !held {
			continue
		}
		d := &droppedSearch{a: a, s: a.uses().sites, seen: map[ssa.Value]bool{}, chosen: true}
		if !d.only(fn.FreeVars[k]) {
			return nil
		}
		a.reach(st, y, func(z *sym) bool {
			b.holds[z] = true
			return true
		})
	}
	if len(b.holds) == 0 {
		return nil
	}
	return b
}

// reportsBack reports whether a function is given something and tells no more than an error.
func reportsBack(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && sig.Results().Len() == 1 && isError(sig.Results().At(0).Type())
}

// borrowed reports whether what a call is given is lent by a function that the path follows, or that is an argument itself.
func (a *analysis) borrowed(y *sym) bool {
	for _, b := range a.lenders {
		if b.holds[y] {
			return true
		}
		if c := shelfOf(y); c != nil && b.holds[c] {
			return true
		}
	}
	return false
}
