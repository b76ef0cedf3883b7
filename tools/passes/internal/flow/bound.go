// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A method value, as in put := pool.Put, is a closure over its receiver: a function that
// SSA makes up, whose object is the method, but whose arguments lack the receiver.

// isBound reports whether a function is that of a method value.
func isBound(fn *ssa.Function) bool {
	return fn.Synthetic != "" && len(fn.FreeVars) == 1 && strings.HasPrefix(fn.Synthetic, "bound method wrapper")
}

// ofMethodValue is the callee and the arguments of a call of a method value, as they would
// be of the method; ok is false where the method is an interface's.
func (a *analysis) ofMethodValue(fn *ssa.Function, free, args []*sym) (target callee, all []*sym, ok bool) {
	obj, isFunc := fn.Object().(*types.Func)
	if !isFunc || len(free) != 1 || obj.Signature().Recv() == nil || types.IsInterface(obj.Signature().Recv().Type()) {
		return callee{}, nil, false
	}
	m := a.prog.FuncValue(obj)
	if m == nil {
		return callee{}, nil, false
	}
	return callee{fn: a.syms.intern(symKey{kind: kFunc, obj: m}, m.Type()), method: obj}, append([]*sym{free[0]}, args...), true
}
