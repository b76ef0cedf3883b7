// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A command may put itself when the answer to it has been read: whoever is given it as an
// interface through which that method can be reached may have had it put.

// A reader that puts its buffer when it has come to its end is the same for the buffer.

// putsItself reports whether x, which is passed as an interface, has a method of that
// interface that may put it.
func (a *analysis) putsItself(x *sym, as types.Type) bool { return a.putsThrough(x, as, false) }

// putsItsFields is putsItself for what fields of x hold.
func (a *analysis) putsItsFields(x *sym, as types.Type) bool { return a.putsThrough(x, as, true) }

// A putsKey is a type, an interface through which its methods are called, and whether it is their fields that
// the methods put.
type putsKey struct {
	typ, as types.Type
	fields  bool
}

func (a *analysis) putsThrough(x *sym, as types.Type, fields bool) bool {
	if x.kind != kIface || x.typ == nil {
		return false
	}
	if n := pointee(x.typ); n == nil || n.Obj().Pkg() != a.pkg.Pkg {
		return false
	}
	k := putsKey{x.typ, as, fields}
	puts, asked := a.putsSelf[k]
	if !asked {
		if a.putsSelf == nil {
			a.putsSelf = map[putsKey]bool{}
		}
		a.putsAsked = map[paramKey]int{}
		puts = a.methodPuts(x.typ, as, fields, 0)
		a.putsSelf[k] = puts
	}
	return puts
}

// A paramKey is a parameter of a function.
type paramKey struct {
	fn     *ssa.Function
	n      int
	fields bool
}

// methodPuts reports whether one of an interface's methods, those of typ, may put its
// receiver, or what fields of it hold.
func (a *analysis) methodPuts(typ, as types.Type, fields bool, depth int) bool {
	it, ok := as.Underlying().(*types.Interface)
	if !ok || pointee(typ) == nil || depth > 4 {
		return false
	}
	for m := range it.Methods() {
		if sel := types.NewMethodSet(typ).Lookup(m.Pkg(), m.Name()); sel != nil {
			if fn := a.prog.MethodValue(sel); fn != nil && a.paramPut(fn, 0, typ, fields, depth) {
				return true
			}
		}
	}
	return false
}

// paramPut reports whether a function may put its parameter n, a value of typ, or what fields of it hold.
func (a *analysis) paramPut(fn *ssa.Function, n int, typ types.Type, fields bool, depth int) bool {
	if len(fn.Blocks) == 0 || n >= len(fn.Params) || !a.inPackage(fn) || depth > 4 {
		return false
	}
	// Methods that call one another are asked once, unless from nearer by.
	k := paramKey{fn, n, fields}
	if at, asked := a.putsAsked[k]; asked && at <= depth {
		return false
	}
	a.putsAsked[k] = depth
	if a.valuePut(fn.Params[n], typ, fields, depth) {
		return true
	}
	if !fields {
		return false
	}
	for _, r := range referrers(fn.Params[n]) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, r := range referrers(fa) {
			if l, ok := r.(*ssa.UnOp); ok && l.Op == token.MUL && a.valuePut(l, l.Type(), false, depth) {
				return true
			}
		}
	}
	return false
}

// valuePut is paramPut for a value that a function has.
func (a *analysis) valuePut(v ssa.Value, typ types.Type, fields bool, depth int) bool {
	list := []ssa.Value{v}
	for k := 0; k < len(list); k++ {
		for _, r := range referrers(list[k]) {
			switch r := r.(type) {
			case *ssa.MakeInterface:
				list = append(list, r)
			case *ssa.ChangeInterface:
				list = append(list, r)
			case ssa.CallInstruction:
				if a.callPuts(r.Common(), list[k], typ, fields, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// callPuts reports whether a call may put v, a value of typ that it is given, or what fields of it hold.
func (a *analysis) callPuts(c *ssa.CallCommon, v ssa.Value, typ types.Type, fields bool, depth int) bool {
	if c.IsInvoke() {
		if c.Value == v {
			one := types.NewInterfaceType([]*types.Func{c.Method}, nil).Complete()
			return a.methodPuts(typ, one, fields, depth)
		}
		return slices.ContainsFunc(c.Args, func(x ssa.Value) bool { return x == v && a.methodPuts(typ, x.Type(), fields, depth) })
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
			return !fields && pf.release == n
		}
		if a.paramPut(fn, n, typ, fields, depth) {
			return true
		}
	}
	return false
}
