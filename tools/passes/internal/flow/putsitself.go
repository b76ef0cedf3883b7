// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A command may put itself when the answer to it has been read: whoever is given it as an
// interface through which that method can be reached may have had it put.

// putsItself reports whether x, which is passed as an interface, has a method of that
// interface that may put it.
func (a *analysis) putsItself(x *sym, as types.Type) bool {
	if x.kind != kIface || x.typ == nil {
		return false
	}
	if n := pointee(x.typ); n == nil || n.Obj().Pkg() != a.pkg.Pkg {
		return false
	}
	k := [2]types.Type{x.typ, as}
	puts, asked := a.putsSelf[k]
	if !asked {
		if a.putsSelf == nil {
			a.putsSelf = map[[2]types.Type]bool{}
		}
		a.putsAsked = map[paramKey]int{}
		puts = a.methodPuts(x.typ, as, 0)
		a.putsSelf[k] = puts
	}
	return puts
}

// A paramKey is a parameter of a function.
type paramKey struct {
	fn *ssa.Function
	n  int
}

// methodPuts reports whether one of an interface's methods, those of typ, may put its
// receiver.
func (a *analysis) methodPuts(typ, as types.Type, depth int) bool {
	it, ok := as.Underlying().(*types.Interface)
	if !ok || pointee(typ) == nil || depth > 4 {
		return false
	}
	for m := range it.Methods() {
		if sel := types.NewMethodSet(typ).Lookup(m.Pkg(), m.Name()); sel != nil {
			if fn := a.prog.MethodValue(sel); fn != nil && a.paramPut(fn, 0, typ, depth) {
				return true
			}
		}
	}
	return false
}

// paramPut reports whether a function may put its parameter n, a value of typ.
func (a *analysis) paramPut(fn *ssa.Function, n int, typ types.Type, depth int) bool {
	if len(fn.Blocks) == 0 || n >= len(fn.Params) || !a.inPackage(fn) || depth > 4 {
		return false
	}
	// Methods that call one another are asked once, unless from nearer by.
	k := paramKey{fn, n}
	if at, asked := a.putsAsked[k]; asked && at <= depth {
		return false
	}
	a.putsAsked[k] = depth
	list := []ssa.Value{fn.Params[n]}
	for k := 0; k < len(list); k++ {
		for _, r := range referrers(list[k]) {
			switch r := r.(type) {
			case *ssa.MakeInterface:
				list = append(list, r)
			case *ssa.ChangeInterface:
				list = append(list, r)
			case ssa.CallInstruction:
				if a.callPuts(r.Common(), list[k], typ, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// callPuts reports whether a call may put v, a value of typ that it is given.
func (a *analysis) callPuts(c *ssa.CallCommon, v ssa.Value, typ types.Type, depth int) bool {
	if c.IsInvoke() {
		if c.Value == v {
			one := types.NewInterfaceType([]*types.Func{c.Method}, nil).Complete()
			return a.methodPuts(typ, one, depth)
		}
		return slices.ContainsFunc(c.Args, func(x ssa.Value) bool { return x == v && a.methodPuts(typ, x.Type(), depth) })
	}
	fn := c.StaticCallee()
	if fn == nil {
		return false
	}
	obj, _ := fn.Object().(*types.Func)
	for n, x := range c.Args {
		if x != v {
			continue
		}
		if pf, ok := poolFuncOf(obj); obj != nil && ok {
			return pf.release == n
		}
		if a.paramPut(fn, n, typ, depth) {
			return true
		}
	}
	return false
}
