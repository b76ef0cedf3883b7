// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A count of references that a package sets to one, counts down, and never up, is one until it is none: nobody
// shares the object, and the test of the count decides nothing.

// neverShared reports whether what an atomic operation gave is such a count.
func (a *analysis) neverShared(x *sym) bool {
	c, ok := x.obj.(*ssa.Call)
	if !ok || len(c.Call.Args) == 0 {
		return false
	}
	fa, ok := c.Call.Args[0].(*ssa.FieldAddr)
	if !ok {
		return false
	}
	v := fieldAt(fa)
	if v == nil {
		return false
	}
	known, ok := a.single[v]
	if !ok {
		if a.single == nil {
			a.single = map[*types.Var]bool{}
		}
		known = a.onlyCountedDown(v)
		a.single[v] = known
	}
	return known
}

func (a *analysis) onlyCountedDown(v *types.Var) bool {
	if v.Exported() || v.Pkg() != a.pkg.Pkg || namedPkg(v.Type()) != "sync/atomic" {
		return false
	}
	one, down := false, false
	for _, i := range a.instrs() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != v {
			continue
		}
		for _, r := range referrers(fa) {
			c, ok := r.(*ssa.Call)
			if !ok || c.Call.IsInvoke() || calledMethod(c) == nil || c.Call.Args[0] != ssa.Value(fa) {
				return false
			}
			switch name := calledMethod(c).Name(); name {
			case "Load":
			case "Store", "Add":
				n, ok := c.Call.Args[1].(*ssa.Const)
				if !ok || n.Value == nil {
					return false
				}
				switch {
				case name == "Store" && constant.Compare(n.Value, token.EQL, constant.MakeInt64(1)):
					one = true
				case name == "Add" && constant.Sign(n.Value) < 0:
					down = true
				default:
					return false
				}
			default:
				return false
			}
		}
	}
	return one && down
}
