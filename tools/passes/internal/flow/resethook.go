// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A wrapper of a pool may be made with a function that resets what goes to it, or comes from it. Where it is
// not known which, the wrapper that calls it for a value before it puts that, or gives it to its caller,
// does what can be done.

// noteHook sees a call of a function that is not known.
func (a *analysis) noteHook(st *state, c *ssa.CallCommon, args []*sym) {
	if !keptFunc(c.Value) {
		return
	}
	for k, v := range c.Args {
		if k >= len(args) || !pointery(v.Type()) && !isTypeParam(v.Type()) || !a.throughWrapper(st.f.fn, v) {
			continue
		}
		x := plain(args[k])
		st.content[memory(x)] = isReset
		if t := pooledBuffer(x); t != nil {
			st.content[t] = isReset
		}
		if m := memory(x); m.kind == kToken && a.sizedHook(c, k, instantiated(v.Type(), st.f.stack)) {
			set(&st.measured, m, asLimit) // one that asks for the size may let go of the memory
		}
	}
}

// sizedHook reports whether some function that may be such a hook asks for a size.
func (a *analysis) sizedHook(c *ssa.CallCommon, k int, t types.Type) bool {
	return slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
		return len(fn.Params) == len(c.Args) && fn.Signature.Results().Len() == c.Signature().Results().Len() && types.Identical(fn.Params[k].Type(), t) && a.testsSize(fn)
	})
}

// hookOutOfView reports whether the function that puts a value first gives it to one that was kept in a field, where the
// package has none for the type: it may ask for the size.
func (a *analysis) hookOutOfView(put ssa.CallInstruction, t types.Type) bool {
	v := unboxed(lastArg(put.Common()))
	for i := range instrsOf(put.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || c.Call.IsInvoke() || !keptFunc(c.Call.Value) || !slices.Contains(c.Call.Args, v) {
			continue
		}
		if !slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
			return len(fn.Params) == 1 && fn.Signature.Results().Len() == c.Call.Signature().Results().Len() && types.Identical(fn.Params[0].Type(), t)
		}) {
			return true
		}
	}
	return false
}

// askedBefore reports whether a function that puts a value in a box first gives it to one that was kept in a field, which may
// ask for the size.
func askedBefore(given ssa.Value) bool {
	return given != nil && slices.ContainsFunc(referrers(given), func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.Call)
		return ok && !c.Call.IsInvoke() && keptFunc(c.Call.Value)
	})
}

// keptFunc reports whether a function is one that was kept in a field, or in a variable of the function
// around this one: no callback of the caller's.
func keptFunc(v ssa.Value) bool {
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		v = l.X
	}
	switch v.(type) {
	case *ssa.FieldAddr, *ssa.Field, *ssa.FreeVar:
		return true
	}
	return false
}

// throughWrapper reports whether a function puts a value that it was given, or returns one that it took.
func (a *analysis) throughWrapper(fn *ssa.Function, v ssa.Value) bool {
	if p, ok := v.(*ssa.Parameter); ok {
		for i := range instrsOf(fn) {
			c, ok := i.(ssa.CallInstruction)
			if !ok || !slices.ContainsFunc(c.Common().Args, func(x ssa.Value) bool { return unboxed(x) == ssa.Value(p) }) {
				continue
			}
			if pf, ok := poolFuncOf(calledMethod(c)); ok && pf.release >= 0 {
				return true
			}
			if f := a.calledFunction(c); f != nil && a.relevant[f] {
				return true
			}
		}
		return false
	}
	return slices.Contains(returnedBy(fn), v)
}
