// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What a caller passed in for one use, such as its context, is wrong for the next: a path
// that takes a value from a pool and uses what the last user set in a field has it from
// another call.

// lendsUse reports whether what a field of a type holds belongs to one use: a value of an
// interface that is no error, or a function.
func lendsUse(t types.Type) bool {
	if t == nil || isError(t) || isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Interface, *types.Signature:
		return true
	}
	return false
}

// noteLastUsers sees a value passed to a function out of view, or such a function called on it.
func (a *analysis) noteLastUsers(st *state, i ssa.Instruction, x *sym) {
	if x.kind != kLoad || x.idx != 0 || x.a.kind != kField {
		return
	}
	f, ok := x.a.obj.(*types.Var)
	if !ok || !lendsUse(f.Type()) {
		return
	}
	a.noteFieldUse(st, i, x, "used")
}
