// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who takes a value from a pool asserts what it can do with, be it an interface. What is of no type that any taker
// asserts is of no use in the pool: an assertion that asks drops it, another one panics.

// A gift is a value that goes to a pool.
type gift struct {
	call ssa.CallInstruction
	typ  types.Type // as it was boxed, or the interface
}

// offered is the type of an interface before it was made one that says nothing.
func offered(v ssa.Value) types.Type {
	if c, ok := v.(*ssa.ChangeInterface); ok {
		v = c.X
	}
	return v.Type()
}

// accepts notes the types that are asserted on what a Get gives. The pool is open where something else is done with that.
func (p *typedPool) accepts(v ssa.Value, seen map[ssa.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			p.asserted = append(p.asserted, typedSite{instrPos(r), r.AssertedType, r.CommaOk})
		case *ssa.Phi:
			p.accepts(r, seen)
		case *ssa.BinOp, *ssa.DebugRef:
		default:
			p.open = true
		}
	}
}

// checkUnaccepted reports Puts of what no taker asserts.
func (a *analysis) checkUnaccepted(obj types.Object, p *typedPool, all []*typedPool) {
	if p.open || len(p.asserted) == 0 || obj.Exported() || !a.allInView(obj) {
		return
	}
	if slices.ContainsFunc(p.asserted, func(s typedSite) bool { return generic(s.typ) }) {
		return
	}
	takes := func(t types.Type) bool {
		return slices.ContainsFunc(p.asserted, func(s typedSite) bool {
			if it, ok := s.typ.Underlying().(*types.Interface); ok {
				return types.Implements(t, it)
			}
			return types.Identical(s.typ, t)
		})
	}
	// A pool whose takers only ask, and to which nobody puts what they ask for, is not understood.
	known := slices.ContainsFunc(p.asserted, func(s typedSite) bool { return !s.loose }) || slices.ContainsFunc(p.given, func(g gift) bool { return takes(g.typ) })
	qual := types.RelativeTo(a.pkg.Pkg)
	for _, g := range p.given {
		if a.inTest(g.call.Parent()) {
			continue
		}
		held := []types.Type{g.typ}
		if types.IsInterface(g.typ) {
			held = nil
			if !a.allHeld(unboxed(g.call.Common().Args[1]), &held, map[any]bool{}) {
				continue
			}
		}
		if len(held) == 0 || slices.ContainsFunc(held, func(t types.Type) bool { return generic(t) || takes(t) }) {
			continue
		}
		home := homeOf(held[0], p, all)
		pos := instrPos(g.call)
		if !known && home == nil || a.found[findingKey{wrongType, pos}].message != "" || a.found[findingKey{wrongPool, pos}].message != "" {
			continue
		}
		f := finding{
			pattern: wrongType, pos: pos, fn: g.call.Parent(),
			message: fmt.Sprintf("%s is put in %s, but it is not the %s that is asserted on what comes from there (%s)", a.putSaid(pos, "a "+types.TypeString(held[0], qual)), p.name, types.TypeString(p.asserted[0].typ, qual), a.line(p.asserted[0].pos)),
			related: []goanalysis.RelatedInformation{{Pos: p.asserted[0].pos, Message: "asserted here"}},
		}
		if home != nil {
			f.pattern = wrongPool
			f.message += fmt.Sprintf("; the pool of %s is %s", types.TypeString(held[0], qual), home.name)
			f.related = append(f.related, goanalysis.RelatedInformation{Pos: home.taken[0].pos, Message: "taken from " + home.name + " here"})
		}
		a.reportFound(f)
	}
}

// allInView reports whether the package does nothing with a pool but to take from it and put to it where that shows. It is
// one pool: a variable, or a field that is no pointer to several.
func (a *analysis) allInView(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok || !isSyncPool(v.Type()) || obj.Pkg() != a.pkg.Pkg {
		return false
	}
	_, isPtr := v.Type().Underlying().(*types.Pointer)
	if v.IsField() || obj.Parent() == a.pkg.Pkg.Scope() {
		u := a.usesOfPools()[obj]
		return u != nil && !u.open && !(isPtr && v.IsField())
	}
	return !isPtr // a local one is only known where it is confined
}

// allHeld gathers the types that an interface may hold, and reports whether they are all.
func (a *analysis) allHeld(v ssa.Value, held *[]types.Type, seen map[any]bool) bool {
	if seen[v] {
		return true
	}
	if len(seen) > 60 {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil
	case *ssa.MakeInterface:
		*held = append(*held, x.X.Type())
		return true
	case *ssa.ChangeInterface:
		return a.allHeld(x.X, held, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !a.allHeld(e, held, seen) })
	case *ssa.UnOp:
		return a.allStored(x.X, held, seen)
	case *ssa.Parameter:
		fn := x.Parent()
		calls := a.callsOf(fn)
		k := slices.Index(fn.Params, x)
		if len(calls) == 0 || a.uses().taken[fn] || callableElsewhere(fn) {
			return false
		}
		return !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool {
			return c.Common().IsInvoke() || k >= len(c.Common().Args) || !a.allHeld(c.Common().Args[k], held, seen)
		})
	case *ssa.Call:
		fn := a.calledFunction(x)
		if fn == nil || x.Call.IsInvoke() || fn.Signature.Results().Len() != 1 || len(fn.Blocks) == 0 {
			return false
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok && b != fn.Recover && !a.allHeld(r.Results[0], held, seen) {
				return false
			}
		}
		return true
	}
	return false
}

// allStored is allHeld for what a local variable or a field of the package's own has.
func (a *analysis) allStored(addr ssa.Value, held *[]types.Type, seen map[any]bool) bool {
	switch x := addr.(type) {
	case *ssa.Alloc:
		return !slices.ContainsFunc(referrers(x), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.Store:
				return r.Addr != x || !a.allHeld(r.Val, held, seen)
			case *ssa.UnOp, *ssa.DebugRef:
				return false
			}
			return true
		})
	case *ssa.FieldAddr:
		v := fieldAt(x)
		if v == nil || v.Exported() || v.Pkg() != a.pkg.Pkg {
			return false
		}
		if seen[v] {
			return true
		}
		seen[v] = true
		for _, i := range a.instrs() {
			fa, ok := i.(*ssa.FieldAddr)
			if !ok || fieldAt(fa) != v {
				continue
			}
			if slices.ContainsFunc(referrers(fa), func(r ssa.Instruction) bool {
				switch r := r.(type) {
				case *ssa.Store:
					return r.Addr != fa || !a.allHeld(r.Val, held, seen)
				case *ssa.UnOp, *ssa.DebugRef:
					return false
				}
				return true
			}) {
				return false
			}
		}
		return true
	}
	return false
}
