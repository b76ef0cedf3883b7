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
	return a.methodPuts(x.typ, as, 0)
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

// A paramQuestion is what paramPut was asked. Without the answers, interfaces with many methods
// that call one another take time exponential in the depth.
type paramQuestion struct {
	fn    *ssa.Function
	n     int
	typ   types.Type
	depth int
}

// paramPut reports whether a function may put its parameter n, a value of typ.
func (a *analysis) paramPut(fn *ssa.Function, n int, typ types.Type, depth int) bool {
	if len(fn.Blocks) == 0 || n >= len(fn.Params) || !a.inPackage(fn) || depth > 4 {
		return false
	}
	q := paramQuestion{fn, n, typ, depth}
	puts, asked := a.paramPuts[q]
	if !asked {
		puts = a.findParamPut(fn, n, typ, depth)
		a.paramPuts[q] = puts
	}
	return puts
}

func (a *analysis) findParamPut(fn *ssa.Function, n int, typ types.Type, depth int) bool {
	list := []ssa.Value{fn.Params[n]}
	for k := 0; k < len(list); k++ {
		for _, r := range *list[k].Referrers() {
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
