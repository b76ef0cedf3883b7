// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pooled reader or writer works for an object that is its own source or target: it
// calls the object's method, which must not put it: its own method still runs.

// A sourced value is one that an object keeps in a field, and that calls a method of the
// object.
type sourced struct {
	field  *types.Var
	method *ssa.Function
	at     ssa.Instruction
}

// judgeWithin reports methods that put the value that calls them.
func (a *analysis) judgeWithin() {
	s := a.uses().sites
	for c := range a.productCalls() {
		for _, x := range a.sourcedBy(c) {
			put := a.putsField(s, x.method, 0, x.field, 0)
			if put == nil || a.fset.Position(put.Pos()).Filename == "" {
				continue
			}
			a.reportFound(finding{
				pattern: useAfterPut, pos: put.Pos(), fn: put.Parent(), cause: put.Pos(),
				message: x.field.Name() + " is put in its pool by " + x.method.Name() + ", which it calls itself (" + a.line(instrPos(x.at)) + "): its own method is still running",
				related: []goanalysis.RelatedInformation{{Pos: instrPos(x.at), Message: "made to call " + x.method.Name() + " here"}},
			})
		}
	}
}

// sourcedBy are the fields that a call's result goes to, or that it works on, with the
// methods of the fields' object that are among its arguments.
func (a *analysis) sourcedBy(c ssa.CallInstruction) []sourced {
	var list []sourced
	cc := c.Common()
	for _, arg := range cc.Args {
		recv, methods := a.methodsGiven(arg)
		if recv == nil {
			continue
		}
		for _, f := range fieldsWith(c, recv) {
			if !streams(f.Type()) && !streamsPtr(f.Type()) {
				continue
			}
			for _, m := range methods {
				list = append(list, sourced{f, m, c})
			}
		}
	}
	return list
}

// methodsGiven are the methods of an object that a value lets its holder call: the
// object as an io.Reader or io.Writer, or a method value, maybe of a function type with
// such a method.
func (a *analysis) methodsGiven(v ssa.Value) (recv ssa.Value, methods []*ssa.Function) {
	it, _ := v.Type().Underlying().(*types.Interface)
	if it != nil && !streams(v.Type()) {
		return nil, nil
	}
	switch x := unboxed(v).(type) {
	case *ssa.MakeClosure:
		fn := x.Fn.(*ssa.Function)
		if obj, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" && len(x.Bindings) == 1 && obj.Signature().Recv() != nil {
			if m := a.prog.FuncValue(obj); m != nil && m.Pkg == a.pkg {
				return x.Bindings[0], []*ssa.Function{m}
			}
		}
	default:
		if it == nil || types.IsInterface(x.Type()) {
			return nil, nil
		}
		if p := pointee(x.Type()); p == nil {
			return nil, nil
		}
		set := types.NewMethodSet(x.Type())
		for m := range it.Methods() {
			if sel := set.Lookup(m.Pkg(), m.Name()); sel != nil {
				if f := a.prog.MethodValue(sel); f != nil && f.Pkg == a.pkg && (m.Name() == "Read" || m.Name() == "Write") {
					methods = append(methods, f)
				}
			}
		}
		return x, methods
	}
	return nil, nil
}

// fieldsWith are the fields of an object that take what a call gives, or hold what it is
// a method of.
func fieldsWith(c ssa.CallInstruction, obj ssa.Value) []*types.Var {
	var list []*types.Var
	var follow func(v ssa.Value, depth int)
	follow = func(v ssa.Value, depth int) {
		if v.Referrers() == nil || depth > 4 {
			return
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.Store:
				if fa, ok := r.Addr.(*ssa.FieldAddr); ok && r.Val == v && fa.X == obj {
					list = append(list, structOf(fa.X.Type()).Field(fa.Field).Origin())
				}
			case *ssa.TypeAssert, *ssa.Extract, *ssa.ChangeInterface, *ssa.MakeInterface:
				follow(r.(ssa.Value), depth+1)
			}
		}
	}
	if v := c.Value(); v != nil {
		follow(v, 0)
	}
	cc := c.Common()
	var on ssa.Value
	switch {
	case cc.IsInvoke():
		on = cc.Value
	case cc.Signature().Recv() != nil && len(cc.Args) > 0:
		on = cc.Args[0]
	}
	if f := calledMethod(c); f != nil && f.Name() == "Reset" && on != nil {
		for n := 0; n < 4; n++ {
			switch x := on.(type) {
			case *ssa.TypeAssert:
				on = x.X
				continue
			case *ssa.ChangeInterface:
				on = x.X
				continue
			case *ssa.Extract:
				on = x.Tuple
				continue
			}
			break
		}
		if f := loadedField(on, obj); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// putsField is the call by which a function puts what a field of its parameter k holds.
func (a *analysis) putsField(s *sites, fn *ssa.Function, k int, f *types.Var, depth int) ssa.CallInstruction {
	if depth > 3 || k >= len(fn.Params) {
		return nil
	}
	p := fn.Params[k]
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if _, isGo := i.(*ssa.Go); isGo {
			continue
		}
		args := c.Common().Args
		for _, n := range s.putArgs(a, c) {
			if loadedField(unboxed(args[n]), p) == f {
				return c
			}
		}
		g := a.calledFunction(c)
		if g == nil || g == fn || c.Common().IsInvoke() {
			continue
		}
		for n, x := range args {
			if x == p && a.putsField(s, g, n, f, depth+1) != nil {
				return c
			}
		}
	}
	return nil
}

// streamsPtr reports whether a pointer is to a type that is read from or written to.
func streamsPtr(t types.Type) bool {
	if !isPtr(t) {
		return false
	}
	set := types.NewMethodSet(t)
	return set.Lookup(nil, "Read") != nil || set.Lookup(nil, "Write") != nil
}
