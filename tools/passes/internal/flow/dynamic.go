// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// dynamicCallers are, for each function that is called through a value, those that
// call it: what it does with pools is done by them.
func (a *analysis) dynamicCallers() map[*ssa.Function][]*ssa.Function {
	callers := map[*ssa.Function][]*ssa.Function{}
	for fn, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok || c.Common().IsInvoke() || c.Common().StaticCallee() != nil {
			continue
		}
		if _, builtin := c.Common().Value.(*ssa.Builtin); builtin {
			continue
		}
		for _, f := range a.funcsOf(c.Common().Value) {
			callers[f.fn] = append(callers[f.fn], fn)
			if m := a.boundMethod(f.fn); m != nil && !slices.Contains(callers[m], f.fn) {
				callers[m] = append(callers[m], f.fn)
			}
		}
	}
	return callers
}

// boundMethod is the method of a method value, unless it is an interface's.
func (a *analysis) boundMethod(fn *ssa.Function) *ssa.Function {
	if !isBound(fn) {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Signature().Recv() == nil || types.IsInterface(obj.Signature().Recv().Type()) {
		return nil
	}
	return a.prog.FuncValue(obj)
}
