// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// referrers are the instructions that use a value: of constants, globals, functions and builtins, none are known.
func referrers(v ssa.Value) []ssa.Instruction {
	if list := v.Referrers(); list != nil {
		return *list
	}
	return nil
}

// loadsOf are the loads from a variable.
func loadsOf(addr ssa.Value) []ssa.Value {
	var loads []ssa.Value
	for _, r := range referrers(addr) {
		if l, ok := r.(*ssa.UnOp); ok && l.Op == token.MUL {
			loads = append(loads, l)
		}
	}
	return loads
}

// readAgain are the loads from the variable of the function in which an instruction stores a value.
func readAgain(i ssa.Instruction, v ssa.Value) []ssa.Value {
	if st, ok := i.(*ssa.Store); ok && st.Val == v {
		if al, ok := st.Addr.(*ssa.Alloc); ok {
			return loadsOf(al)
		}
	}
	return nil
}

// returnedFirst are the results of the calls, outside tests, of the function that returns a value as its
// first result.
func (a *analysis) returnedFirst(r *ssa.Return, v ssa.Value) []ssa.Value {
	fn := r.Parent()
	if len(r.Results) == 0 || r.Results[0] != v || fn.Parent() != nil {
		return nil
	}
	var results []ssa.Value
	for _, c := range a.callsOf(fn) {
		if x, ok := c.(*ssa.Call); ok && !a.inTest(c.Parent()) {
			results = append(results, x)
		}
	}
	return results
}
