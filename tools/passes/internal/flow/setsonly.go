// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Not all that is done to an element of a map keeps it from eviction: who evicts asks a count, a flag, or a
// list. A method that only sets a field of the element to what it was given is none of these, nor is a look at its neighbours.

// setsOnly reports whether a call is of a function of the package that does nothing with an element but to set fields of
// it to memory from elsewhere, or to read what leads nowhere else. A number or a time may be what the eviction goes by.
func (c *custody) setsOnly(call ssa.CallInstruction, same map[ssa.Value]bool) bool {
	fn := c.a.calledFunction(call)
	if fn == nil || len(fn.Blocks) == 0 || call.Common().IsInvoke() {
		return false
	}
	sets := false
	for k, x := range call.Common().Args {
		if !same[unboxed(x)] {
			continue
		}
		if k >= len(fn.Params) {
			return false
		}
		p := fn.Params[k]
		for _, r := range referrers(p) {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok {
				if _, debug := r.(*ssa.DebugRef); debug {
					continue
				}
				return false
			}
			for _, u := range referrers(fa) {
				switch u := u.(type) {
				case *ssa.Store:
					if u.Addr != ssa.Value(fa) || !isMemory(u.Val.Type()) || types.Identical(u.Val.Type(), p.Type()) {
						return false
					}
					sets = true
				case *ssa.UnOp:
					if u.Op != token.MUL || hasPointers(u.Type()) {
						return false
					}
				case *ssa.DebugRef:
				default:
					return false
				}
			}
		}
	}
	return sets
}

// isMemory reports whether a value of a type is a reference to memory, or none.
func isMemory(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

// comparesElements reports whether a condition compares an element with another, or with none: that tells where
// it is in a list.
func comparesElements(cond, elem ssa.Value) bool {
	o, ok := cond.(*ssa.BinOp)
	if !ok || o.Op != token.EQL && o.Op != token.NEQ {
		return false
	}
	return isPtr(elem.Type()) && types.Identical(o.X.Type(), elem.Type()) && types.Identical(o.Y.Type(), elem.Type())
}
