// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A pool may be a variable of a function, used there and by the closures that
// it makes: a handler with its pool. Where its address goes nowhere else, all
// its gets and puts are in view, as with a package's variable.

// collectLocals finds such pools. It keeps their objects in homes, for the
// variable and for each closure's view of it.
func (a *analysis) collectLocals() {
	var byPos map[token.Pos]types.Object
	for _, i := range a.instrs() {
		al, ok := i.(*ssa.Alloc)
		if !ok || !isSyncPool(al.Type()) || a.homes[al] != nil {
			continue
		}
		views, ok := confined(al)
		if !ok {
			continue
		}
		if byPos == nil {
			byPos = map[token.Pos]types.Object{}
			for id, obj := range a.pass.TypesInfo.Defs {
				if v, ok := obj.(*types.Var); ok && isSyncPool(v.Type()) {
					byPos[id.Pos()] = obj
				}
			}
		}
		if obj := byPos[al.Pos()]; obj != nil {
			for _, v := range views {
				a.homes[v] = obj
			}
		}
	}
}

// confined reports whether a local pool is only used as a pool, there and in
// closures, and gives all the SSA values that stand for its address.
func confined(al *ssa.Alloc) (views []ssa.Value, ok bool) {
	views = []ssa.Value{al}
	for n := 0; n < len(views); n++ { // grows
		v := views[n]
		if v.Referrers() == nil {
			return nil, false
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.FieldAddr:
			case *ssa.Store:
				if r.Addr != v {
					return nil, false
				}
			case *ssa.MakeClosure:
				fn := r.Fn.(*ssa.Function)
				for k, b := range r.Bindings {
					if b != v {
						continue
					}
					if k >= len(fn.FreeVars) {
						return nil, false
					}
					if fv := fn.FreeVars[k]; fn.Synthetic != "" {
						return nil, false // a method value
					} else if !slices.Contains(views, ssa.Value(fv)) {
						views = append(views, fv)
					}
				}
			case ssa.CallInstruction:
				c := r.Common()
				switch key := funcKey(calledMethod(r)); {
				case c.IsInvoke(), key != "sync.Pool.Get" && key != "sync.Pool.Put", c.Args[0] != v, slices.Contains(c.Args[1:], v):
					return nil, false
				}
			default:
				return nil, false
			}
		}
	}
	return views, true
}
