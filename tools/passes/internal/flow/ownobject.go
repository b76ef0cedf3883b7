// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// ofOwnObject reports whether an address is in an object that the function had made by a
// constructor, such as exec.Command, and that nobody else gets: its methods and fields are
// used, and no more. Whatever it still points to at the end goes with it.
func (a *analysis) ofOwnObject(b *sym) bool {
	if b.kind != kOpaque {
		return false
	}
	i, ok := b.obj.(ssa.CallInstruction)
	if !ok || i.Value() == nil {
		return false
	}
	if picksPart(i) {
		return true
	}
	if !a.makesNew(i, 0) {
		return false
	}
	var v ssa.Value = i.Value()
	if b.idx > 0 || i.Common().Signature().Results().Len() > 1 {
		v = part(i.Value(), b.idx)
	}
	return v != nil && a.staysHere(v, 0)
}

// mayBePooled reports whether an object is what a function of the package takes from a pool that was
// not followed here: who puts it, and was not followed either, may empty it first.
func (a *analysis) mayBePooled(b *sym) bool {
	i, ok := b.obj.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn := i.Common().StaticCallee()
	return fn != nil && a.inPackage(fn) && a.uses().getter[origin(fn)]
}

// picksPart reports whether a function value is given an object that its caller made: what it gives
// back may be a part of that.
func picksPart(i ssa.CallInstruction) bool {
	c := i.Common()
	if c.IsInvoke() || c.StaticCallee() != nil {
		return false
	}
	return slices.ContainsFunc(c.Args, func(v ssa.Value) bool {
		_, made := v.(*ssa.Alloc)
		return made
	})
}

// makesNew reports whether what a call gives is made for its caller.
func (a *analysis) makesNew(i ssa.CallInstruction, depth int) bool {
	f := calledMethod(i)
	if f == nil || i.Common().IsInvoke() || depth > 3 {
		return false
	}
	if fn := a.calledFunction(i); fn != nil {
		returns := 0
		for _, b := range fn.Blocks {
			r, ok := lastInstr(b).(*ssa.Return)
			if !ok {
				continue
			}
			if len(r.Results) == 0 {
				return false
			}
			returns++
			switch v := unboxed(r.Results[0]).(type) {
			case *ssa.Alloc, *ssa.Const:
			case *ssa.Call:
				if !a.makesNew(v, depth+1) {
					return false
				}
			case *ssa.Extract:
				c, ok := v.Tuple.(*ssa.Call)
				if !ok || v.Index != 0 || !a.makesNew(c, depth+1) {
					return false
				}
			default:
				return false
			}
		}
		return returns > 0
	}
	return f.Signature().Recv() == nil && (strings.HasPrefix(f.Name(), "New") || funcKey(f) == "os/exec.Command" || funcKey(f) == "os/exec.CommandContext")
}

// staysHere reports whether an object is only used by its fields and methods, in the function
// that has it and those of the package that it is given to or returned to.
func (a *analysis) staysHere(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 6 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.BinOp, *ssa.Extract, *ssa.UnOp:
		case *ssa.Phi:
			if !a.staysHere(r, depth+1) {
				return false
			}
		case *ssa.Return:
			if r.Parent() == a.root || !a.staysWithCallers(r, v, depth) {
				return false
			}
		case *ssa.Call, *ssa.Defer:
			if !a.staysInCall(r.(ssa.CallInstruction), v, depth) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// staysWithCallers reports whether what a function returns stays with the functions that call it.
func (a *analysis) staysWithCallers(r *ssa.Return, v ssa.Value, depth int) bool {
	n := slices.Index(r.Results, v)
	calls := a.callsOf(r.Parent())
	for _, c := range calls {
		var got ssa.Value = c.Value()
		if got != nil && len(r.Results) > 1 {
			got = part(got, n)
		}
		if got != nil && !a.staysHere(got, depth+2) {
			return false
		}
	}
	return len(calls) > 0
}

// staysInCall reports whether a call is one of the object's own methods, or of a function of the
// package that leaves it where it is.
func (a *analysis) staysInCall(i ssa.CallInstruction, v ssa.Value, depth int) bool {
	c := i.Common()
	if c.IsInvoke() {
		return c.Value == v && !slices.Contains(c.Args, v)
	}
	if fn := a.calledFunction(i); fn != nil {
		for k, x := range c.Args {
			if x == v && (k >= len(fn.Params) || !a.staysHere(fn.Params[k], depth+2)) {
				return false
			}
		}
		return true
	}
	return c.Signature().Recv() != nil && len(c.Args) > 0 && c.Args[0] == v && !slices.Contains(c.Args[1:], v)
}
