// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Two interfaces may have values of one type wherever a function uses both: a path that chose one type for the first of
// them and another one for the second shows no wrong pool.

// oneOfSeveral reports whether a call is of a function value that is one of several in view: which of them goes with which
// other is not known.
func (a *analysis) oneOfSeveral(i ssa.Instruction) bool {
	c, ok := i.(ssa.CallInstruction)
	return ok && !c.Common().IsInvoke() && c.Common().StaticCallee() == nil && len(a.funcsOf(c.Common().Value)) > 1
}

// tookAt is the call that gave a value from a pool.
func tookAt(t *sym) ssa.Instruction {
	i, _ := t.obj.(ssa.Instruction)
	return i
}

// guessedBoth reports whether a value was taken by a method that the path chose behind an interface, and is put behind
// one by a method of another type that it chose.
func (a *analysis) guessedBoth(st *state, t *sym, put event) bool {
	var to []*types.TypeName
	for k, i := range put.stack[:len(put.stack)-1] {
		if c, ok := i.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
			to = append(to, recvType(put.stack[k+1].Parent()))
		}
	}
	if len(to) == 0 {
		return false
	}
	var from, guessed []*types.TypeName
	for _, f := range st.chosen {
		fn, ok := f.obj.(*ssa.Function)
		if !ok || recvType(fn) == nil {
			continue
		}
		guessed = append(guessed, recvType(fn))
		if body := fn.Syntax(); body != nil && slices.ContainsFunc(t.stack, func(p token.Pos) bool { return body.Pos() <= p && p < body.End() }) {
			from = append(from, recvType(fn))
		}
	}
	for c, v := range st.truth {
		if v && c.kind == kOk && a.syms.asserted[c] != nil {
			if held, ok := types.Unalias(deref(a.syms.asserted[c])).(*types.Named); ok {
				guessed = append(guessed, held.Origin().Obj())
			}
		}
	}
	return slices.ContainsFunc(from, func(x *types.TypeName) bool {
		return slices.ContainsFunc(to, func(y *types.TypeName) bool { return x != y && slices.Contains(guessed, y) })
	})
}
