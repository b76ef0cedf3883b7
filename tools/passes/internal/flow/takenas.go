// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Behind an interface of a package's own, or one of package io, a value goes to its pool as
// what the interface says. Of what type it is, those tell that take it.

// takenAs is the one type of the package as which values are taken from the pool that a call
// puts an interface in.
func takenAs(put ssa.CallInstruction, n int, calls []ssa.CallInstruction) *types.Named {
	if n != 1 || put.Common().IsInvoke() || funcKey(calledMethod(put)) != "sync.Pool.Put" || !types.IsInterface(unboxed(put.Common().Args[n]).Type()) {
		return nil
	}
	home := poolHome(put.Common().Args[0])
	if home == nil {
		return nil
	}
	var found *types.Named
	for _, c := range calls {
		get, ok := c.(*ssa.Call)
		if !ok || get.Call.IsInvoke() || funcKey(calledMethod(get)) != "sync.Pool.Get" || poolHome(get.Call.Args[0]) != home {
			continue
		}
		for _, r := range referrers(get) {
			ta, ok := r.(*ssa.TypeAssert)
			if !ok {
				continue
			}
			t := pointee(ta.AssertedType)
			if t == nil || found != nil && found.Origin() != t.Origin() {
				return nil
			}
			found = t
		}
	}
	return found
}

// invokesOf are the calls in the package of an interface's method that may be fn.
func (s *sites) invokesOf(fn *ssa.Function) (out []ssa.CallInstruction) {
	recv := fn.Signature.Recv()
	if recv == nil {
		return nil
	}
	for _, c := range s.invokes[fn.Name()] {
		if it, ok := c.Common().Value.Type().Underlying().(*types.Interface); ok && !testFile(c.Parent()) && types.Implements(recv.Type(), it) {
			out = append(out, c)
		}
	}
	return out
}

// behindHop is the function of the package that one does nothing but to call, with its own
// parameters, or the one itself.
func (a *analysis) behindHop(fn *ssa.Function) *ssa.Function {
	for range 3 {
		if len(fn.Blocks) != 1 {
			return fn
		}
		var only *ssa.Call
		for _, i := range fn.Blocks[0].Instrs {
			switch i := i.(type) {
			case *ssa.Call:
				if only != nil {
					return fn
				}
				only = i
			case *ssa.Return, *ssa.DebugRef:
			default:
				return fn
			}
		}
		if only == nil || len(only.Call.Args) != len(fn.Params) {
			return fn
		}
		for k, x := range only.Call.Args {
			if x != ssa.Value(fn.Params[k]) {
				return fn
			}
		}
		next := a.calledFunction(only)
		if next == nil || only.Call.IsInvoke() {
			return fn
		}
		fn = next
	}
	return fn
}
