// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Rules that look for two statements about one value ask for where it is kept: in a field of an
// object, or in a variable, be it this function's or one that a literal captured.

// A site of a value: a field of what is in a variable, or the variable.
type keptIn struct {
	of    ssa.Value // the variable, parameter or call that gave the object or the value
	field *types.Var
}

// whereKept is where a value was read from, or the value itself, where that is not
// a field, a variable or a parameter.
func (a *analysis) whereKept(v ssa.Value) keptIn {
	for range 12 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.ChangeInterface:
			v = x.X
			continue
		case *ssa.TypeAssert:
			v = x.X
			continue
		case *ssa.Extract:
			if t, ok := x.Tuple.(*ssa.TypeAssert); ok && x.Index == 0 {
				v = t.X
				continue
			}
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return keptIn{of: v}
			}
			if fa, ok := x.X.(*ssa.FieldAddr); ok {
				return a.placeOfField(fa)
			}
			if w := a.varAt(x.X); w != nil {
				if al, ok := w.(*ssa.Alloc); ok {
					if only := storedOnce(al); only != nil {
						if _, isCall := only.(*ssa.Call); !isCall {
							v = only
							continue
						}
					}
				}
				return keptIn{of: w}
			}
		}
		return keptIn{of: v}
	}
	return keptIn{of: v}
}

// placeOfField is a field of an object, as a place.
func (a *analysis) placeOfField(fa *ssa.FieldAddr) keptIn {
	s := structOf(fa.X.Type())
	if s == nil {
		return keptIn{of: fa}
	}
	base := fa.X
	if _, nested := base.(*ssa.FieldAddr); !nested {
		base = a.whereKept(base).of
	}
	return keptIn{of: base, field: s.Field(fa.Field).Origin()}
}

// varAt is the variable at an address: for one that a literal captured, the one of the
// function around it.
func (a *analysis) varAt(addr ssa.Value) ssa.Value {
	for range 6 {
		switch x := addr.(type) {
		case *ssa.Alloc:
			return x
		case *ssa.FreeVar:
			made := a.closures[x.Parent()]
			k := slices.Index(x.Parent().FreeVars, x)
			if len(made) != 1 || k < 0 || k >= len(made[0].Bindings) {
				return x
			}
			addr = made[0].Bindings[k]
		default:
			return nil
		}
	}
	return nil
}

// valuesPut are the values that a call puts, as far as the functions of the package show it: also
// a slice whose header a callee puts in a variable of its own.
func (a *analysis) valuesPut(c ssa.CallInstruction) []ssa.Value {
	var list []ssa.Value
	for _, n := range a.uses().sites.putArgs(a, c) {
		list = append(list, c.Common().Args[n])
	}
	fn := a.calledFunction(c)
	if fn == nil || c.Common().IsInvoke() {
		return list
	}
	for k, p := range fn.Params {
		if k >= len(c.Common().Args) || p.Referrers() == nil {
			continue
		}
		for _, r := range referrers(p) {
			st, ok := r.(*ssa.Store)
			if !ok || st.Val != ssa.Value(p) {
				continue
			}
			for _, u := range referrers(st.Addr) {
				box, ok := u.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				for _, w := range referrers(box) {
					if put, ok := w.(ssa.CallInstruction); ok && funcKey(calledMethod(put)) == "sync.Pool.Put" {
						list = append(list, c.Common().Args[k])
					}
				}
			}
		}
	}
	return list
}

// usesPlace finds an instruction that works with what is kept in a place: one that reads it for
// more than a comparison, or calls a function that does.
func (a *analysis) usesPlace(i ssa.Instruction, p keptIn) bool {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		t := i.Type().Underlying().(*types.Pointer).Elem()
		if p.field != nil || a.whereKept(i.X) != p || namedPkg(t) == "sync" || namedPkg(t) == "sync/atomic" {
			return false
		}
		return slices.ContainsFunc(referrers(i), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.UnOp:
				return true
			case *ssa.Store:
				return r.Addr == ssa.Value(i)
			}
			return false
		})
	case *ssa.UnOp:
		if i.Op != token.MUL || a.placeAt(i.X) != p {
			return false
		}
		return slices.ContainsFunc(referrers(i), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.MakeInterface, *ssa.Store:
				return false
			case ssa.CallInstruction:
				return !slices.ContainsFunc(a.valuesPut(r), func(v ssa.Value) bool { return unboxed(v) == ssa.Value(i) }) && !ofSyncPackage(r)
			}
			return true
		})
	case *ssa.Call:
		for _, fn := range a.calleesOf(i) {
			if p.field != nil {
				for n, x := range i.Call.Args {
					if n < len(fn.Params) && a.whereKept(x).of == p.of && touchesField(fn, p.field, 0) {
						return true
					}
				}
			}
			if fn.Parent() != nil && a.readsPlace(fn, p, 0) {
				return true
			}
		}
	}
	return false
}

// placeAt is the place at an address.
func (a *analysis) placeAt(addr ssa.Value) keptIn {
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		return a.placeOfField(fa)
	}
	if w := a.varAt(addr); w != nil {
		return keptIn{of: w}
	}
	return keptIn{}
}

// readsPlace reports whether a literal works with what is kept in a place.
func (a *analysis) readsPlace(fn *ssa.Function, p keptIn, depth int) bool {
	return depth < 3 && slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
			u, ok := i.(*ssa.UnOp)
			return ok && a.usesPlace(u, p)
		})
	})
}

// calleesOf are the functions in view that a call may reach.
func (a *analysis) calleesOf(c *ssa.Call) []*ssa.Function {
	if fn := a.calledFunction(c); fn != nil {
		return []*ssa.Function{fn}
	}
	if c.Call.IsInvoke() {
		return nil
	}
	if _, builtin := c.Call.Value.(*ssa.Builtin); builtin {
		return nil
	}
	var list []*ssa.Function
	for _, f := range a.funcsOf(c.Call.Value) {
		list = append(list, f.fn)
	}
	return list
}

// ofSyncPackage reports whether a call is one of sync or sync/atomic.
func ofSyncPackage(c ssa.CallInstruction) bool {
	m := calledMethod(c)
	return m != nil && m.Pkg() != nil && (m.Pkg().Path() == "sync" && namedPkg(c.Common().Args[0].Type()) == "sync" || m.Pkg().Path() == "sync/atomic")
}
