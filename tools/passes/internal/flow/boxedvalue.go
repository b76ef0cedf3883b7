// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A value of package reflect, or the address of an interface, is put for what is in it: nobody who
// takes from the pool finds that.

// checkWrapping reports a Put of such a wrapping where nothing in the package asserts one.
func (a *analysis) checkWrapping(i ssa.CallInstruction, v ssa.Value) {
	t := v.Type()
	what := ""
	switch {
	case types.TypeString(t, nil) == "reflect.Value":
		what = "the reflect.Value is put, not what is in it (its method Interface gives that)"
	case pointsToInterface(t):
		what = "the address of an interface is put, not what is in it"
	default:
		return
	}
	if a.inTest(i.Parent()) || a.takesAs(t) {
		return
	}
	a.reportFound(finding{
		pattern: wrongType, pos: instrPos(i), fn: i.Parent(),
		message: fmt.Sprintf("%s%s: who takes from the pool gets a %s, which nothing here expects", what, a.asNamed(i), types.TypeString(t, types.RelativeTo(a.pkg.Pkg))),
		more:    a.usersOfStatic(i),
	})
}

func pointsToInterface(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, isParam := types.Unalias(p.Elem()).(*types.TypeParam)
	return !isParam && types.IsInterface(p.Elem())
}

// takesAs reports whether the package asserts values of a type, gives one as an interface from a function
// such as New, or has typed pools of them.
func (a *analysis) takesAs(t types.Type) bool {
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.TypeAssert:
			if types.Identical(i.AssertedType, t) {
				return true
			}
		case *ssa.Return:
			for _, r := range i.Results {
				if mi, ok := r.(*ssa.MakeInterface); ok && types.Identical(mi.X.Type(), t) {
					return true
				}
			}
		case *ssa.Call:
			if types.Identical(i.Type(), t) && funcKey(calledMethod(i)) == "sync.Pool.Get" {
				return true
			}
		}
	}
	return false
}
