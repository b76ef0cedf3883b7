// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// fixedFields finds the fields that no function sets but the one that makes
// the object: whoever gets the object afterwards finds there what was put in
// when it was made. Fields whose address is taken, or whose struct is assigned
// as a whole, are left out.
func (a *analysis) fixedFields() {
	a.fixed = map[types.Object]bool{}
	set := map[types.Object]bool{}   // stored to by the maker
	moves := map[types.Object]bool{} // anything else
	all := func(t types.Type, into map[types.Object]bool) {
		if s := structOf(t); s != nil {
			for f := range s.Fields() {
				into[f.Origin()] = true
			}
		}
	}
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *ssa.FieldAddr:
					s := structOf(i.X.Type())
					if s == nil {
						continue
					}
					f := s.Field(i.Field).Origin()
					if f.Pkg() != a.pkg.Pkg {
						continue
					}
					for _, r := range *i.Referrers() {
						switch r := r.(type) {
						case *ssa.UnOp, *ssa.DebugRef:
						case *ssa.Store:
							if _, made := i.X.(*ssa.Alloc); made && r.Addr == ssa.Value(i) {
								set[f] = true
							} else {
								moves[f] = true
							}
						case *ssa.FieldAddr, *ssa.IndexAddr:
							moves[f] = true
						default:
							moves[f] = true
						}
					}
				case *ssa.Store:
					if _, made := i.Addr.(*ssa.Alloc); !made {
						all(i.Addr.Type(), moves)
					}
				}
			}
		}
	}
	for f := range set {
		if v := f.(*types.Var); !moves[f] && !v.Exported() && hasPointers(v.Type()) {
			a.fixed[f] = true
		}
	}
}
