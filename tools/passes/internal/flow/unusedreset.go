// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A type may have a method that empties its values and that nobody calls: written for the pool, and
// forgotten where values go to it. What it would empty is not emptied.

// unusedReset reports whether a function is such a method: of a type that only this package has, and that it
// turns into no interface which has the method.
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
	if f.taken[fn] || f.a.namedElsewhere(fn) {
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
