// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A type may have a method that empties its values and that nobody calls: written for the pool, and
// forgotten where values go to it. What it would empty is not emptied.

// unusedReset reports whether a function is such a method: of a type that only this package has, and that it
// turns into no interface which has the method, and gives to no generic code of others that may call it.
func (f *forgotten) unusedReset(fn *ssa.Function) bool {
	return len(f.callers[fn]) == 0 && f.ownReset(fn)
}

// ownReset reports whether a function is a method that empties values of a type of the package's own, and can be called
// in no other way than by its name.
func (f *forgotten) ownReset(fn *ssa.Function) bool {
	sig := fn.Signature
	if sig.Recv() == nil || sig.Params().Len() > 0 || sig.Results().Len() > 0 || fn.Origin() != nil || !strings.EqualFold(fn.Name(), "reset") && !strings.EqualFold(fn.Name(), "clear") {
		return false
	}
	n := pointee(sig.Recv().Type())
	if n == nil || n.Obj().Exported() || n.Obj().Pkg() != f.a.pkg.Pkg || n.TypeParams().Len() > 0 {
		return false
	}
	if f.taken[fn] || f.a.namedElsewhere(fn) || f.a.constrainedTo(sig.Recv().Type(), fn) {
		return false
	}
	for _, i := range f.a.instrs() {
		var as types.Type
		switch i := i.(type) {
		case *ssa.MakeInterface:
			if types.Identical(i.X.Type(), sig.Recv().Type()) {
				as = i.Type()
			}
		case *ssa.TypeAssert:
			if types.IsInterface(i.AssertedType) {
				as = i.AssertedType
			}
		}
		if as == nil {
			continue
		}
		if m, _, _ := types.LookupFieldOrMethod(as, false, fn.Object().Pkg(), fn.Name()); m != nil {
			return false
		}
	}
	return true
}

// constrainedTo reports whether the package uses generic code of another one with a type where the constraint has a method
// of that type's: the code calls it, as a wrapper of a pool does with what goes there.
func (a *analysis) constrainedTo(t types.Type, fn *ssa.Function) bool {
	for id, inst := range a.pass.TypesInfo.Instances {
		obj := a.pass.TypesInfo.Uses[id]
		if obj == nil || obj.Pkg() == a.pkg.Pkg {
			continue
		}
		for k, p := range slices.Collect(typeParamsOfObject(obj).TypeParams()) {
			if k >= inst.TypeArgs.Len() || !types.Identical(inst.TypeArgs.At(k), t) {
				continue
			}
			if m, _, _ := types.LookupFieldOrMethod(p.Constraint(), false, fn.Object().Pkg(), fn.Name()); m != nil {
				return true
			}
		}
	}
	return false
}

// typeParamsOfObject are the type parameters of a generic function or type; nil for any other.
func typeParamsOfObject(obj types.Object) *types.TypeParamList {
	switch t := obj.Type().(type) {
	case *types.Signature:
		return t.TypeParams()
	case *types.Named:
		return t.TypeParams()
	case *types.Alias:
		return t.TypeParams()
	}
	return nil
}
