// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A method value, as in put := pool.Put, is a closure over its receiver: a function that
// SSA makes up, whose object is the method, but whose arguments lack the receiver.

// isBound reports whether a function is that of a method value.
func isBound(fn *ssa.Function) bool {
	return fn.Synthetic != "" && len(fn.FreeVars) == 1 && strings.HasPrefix(fn.Synthetic, "bound method wrapper")
}

// poolMethod reports whether a function is that of a method value of a pool, as in
// var get, put = pool.Get, pool.Put.
func poolMethod(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !isBound(fn) {
		return false
	}
	_, ok = poolFuncOf(obj)
	return ok
}

// closuresOf are those of the closures that are of the function, one for all that captured the
// same package-level variables.
func closuresOf(list []*ssa.MakeClosure, fn *ssa.Function) (of []*ssa.MakeClosure) {
	for _, m := range list {
		if m.Fn == fn && !slices.ContainsFunc(of, func(o *ssa.MakeClosure) bool { return ofPackage(m) && slices.Equal(m.Bindings, o.Bindings) }) {
			of = append(of, m)
		}
	}
	return of
}

// ofPackage reports whether all that a closure captured are package-level variables, by
// their address: it is the same wherever it is made.
func ofPackage(m *ssa.MakeClosure) bool {
	return !slices.ContainsFunc(m.Bindings, func(b ssa.Value) bool { _, ok := b.(*ssa.Global); return !ok })
}

// ofFunction is the callee and the arguments of a call of a function that is a value.
func (a *analysis) ofFunction(f *sym, args []*sym) (callee, []*sym) {
	fn, free := f.function()
	if !isBound(fn) {
		obj, _ := fn.Object().(*types.Func)
		return callee{fn: f, method: obj}, args
	}
	if target, all, ok := a.ofMethodValue(fn, free, args); ok {
		return target, all
	}
	return callee{fn: f}, args
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
