// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A wrapper of a pool that is generic, or that is given an interface, calls the methods of what it
// takes and puts by their names: v.Reset(). For values of one type these are that type's.

// behindType is the method of t, of the package, that a call in a wrapper of a pool calls on a *t.
func (f *forgotten) behindType(c ssa.CallInstruction, t *types.Named) *ssa.Function {
	cc := c.Common()
	in := origin(c.Parent())
	if !cc.IsInvoke() || !f.getter[in] && len(f.putter[in]) == 0 {
		return nil
	}
	it, ok := cc.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if !isTypeParam(cc.Value.Type()) && !types.Implements(types.NewPointer(t), it) {
		return nil
	}
	if !f.gotOrGiven(cc.Value, 0) {
		return nil
	}
	sel := types.NewMethodSet(types.NewPointer(t)).Lookup(cc.Method.Pkg(), cc.Method.Name())
	if sel == nil {
		return nil
	}
	m, _ := sel.Obj().(*types.Func)
	fn := f.a.prog.FuncValue(m.Origin())
	if fn == nil || fn.Pkg != f.a.pkg || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// gotOrGiven reports whether a value is what a function was given, or took from a pool.
func (f *forgotten) gotOrGiven(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := unboxed(v).(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Call:
		return f.gets0(f.a, x)
	case *ssa.TypeAssert:
		return f.gotOrGiven(x.X, depth+1)
	case *ssa.Extract:
		return f.gotOrGiven(x.Tuple, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return f.gotOrGiven(e, depth+2) })
	}
	return false
}
