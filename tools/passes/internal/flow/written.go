// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// productCalls are the calls in the package's functions, those of tests left out.
func (a *analysis) productCalls() iter.Seq[ssa.CallInstruction] {
	return func(yield func(ssa.CallInstruction) bool) {
		for _, i := range a.instrsBeyondTests() {
			if c, ok := i.(ssa.CallInstruction); ok && !yield(c) {
				return
			}
		}
	}
}

// poolCalls are those of productCalls that call a method of a sync.Pool: "Get" or
// "Put".
func (a *analysis) poolCalls(method string) iter.Seq[ssa.CallInstruction] {
	return func(yield func(ssa.CallInstruction) bool) {
		for c := range a.productCalls() {
			if !c.Common().IsInvoke() && funcKey(calledMethod(c)) == "sync.Pool."+method && !yield(c) {
				return
			}
		}
	}
}

// isPut reports whether a call is one of sync.Pool's Put.
func isPut(c ssa.CallInstruction) bool {
	return !c.Common().IsInvoke() && funcKey(calledMethod(c)) == "sync.Pool.Put"
}

// writtenFunc is the function that a value is, where that is written in its place.
func writtenFunc(v ssa.Value) *ssa.Function {
	for {
		switch x := v.(type) {
		case *ssa.Function:
			return x
		case *ssa.MakeClosure:
			return x.Fn.(*ssa.Function)
		case *ssa.ChangeType:
			v = x.X
		default:
			return nil
		}
	}
}
