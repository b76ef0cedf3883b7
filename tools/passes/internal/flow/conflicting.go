// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What goes to a pool as an interface may be of several types. Where one of those who take from the same
// pool asserts one type, and does not ask, all that is put must be of that type.

// judgeConflicting reports Puts of interfaces that hold a type which one who takes from the pool cannot do with.
// The pool is a variable, or the element of one that the same expression picks.
func (a *analysis) judgeConflicting() {
	type taken struct {
		as   types.Type
		at   *ssa.TypeAssert
		pool ssa.Value
	}
	takes := map[types.Object][]taken{}
	for c := range a.poolCalls("Get") {
		call, ok := c.(*ssa.Call)
		if !ok {
			continue
		}
		obj := a.variablePool(c.Common().Args[0])
		if obj == nil {
			continue
		}
		for _, r := range referrers(call) {
			if ta, ok := r.(*ssa.TypeAssert); ok && !ta.CommaOk && !types.IsInterface(ta.AssertedType) && !generic(ta.AssertedType) {
				takes[obj] = append(takes[obj], taken{ta.AssertedType, ta, c.Common().Args[0]})
			}
		}
	}
	if len(takes) == 0 {
		return
	}
	qual := types.RelativeTo(a.pkg.Pkg)
	for c := range a.poolCalls("Put") {
		v := c.Common().Args[1]
		if ci, ok := v.(*ssa.ChangeInterface); ok {
			v = ci.X
		}
		it, ok := v.Type().Underlying().(*types.Interface)
		if !ok || it.NumMethods() == 0 || typeTested(v) {
			continue
		}
		obj := a.variablePool(c.Common().Args[0])
		if len(takes[obj]) == 0 {
			continue
		}
		var held []types.Type
		a.heldTypes(v, &held, map[ssa.Value]bool{}, 0)
		for _, t := range takes[obj] {
			k := slices.IndexFunc(held, func(h types.Type) bool { return !types.Identical(h, t.as) })
			if k < 0 || !samePick(t.pool, c.Common().Args[0]) {
				continue
			}
			if a.makesItself(t.at) && !a.putAs(t.as, obj) {
				get := t.at.X.(*ssa.Call)
				a.reportFound(finding{
					pattern: wrongPool, pos: instrPos(get), fn: get.Parent(),
					message: fmt.Sprintf("a %s is asserted on what comes from %s%s (%s), and made where there is none, but what is put there is a %s (%s): take it from a pool of its own", types.TypeString(t.as, qual), obj.Name(), a.forName(instrPos(t.at)), a.line(instrPos(t.at)), types.TypeString(held[k], qual), a.line(instrPos(c))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(t.at), Message: "asserted here"}, {Pos: instrPos(c), Message: "the Put"}},
				})
				break
			}
			a.reportFound(finding{
				pattern: wrongType, pos: instrPos(c), fn: c.Parent(),
				message: fmt.Sprintf("%s may be put in %s, as %s, but a %s is asserted on what comes from there (%s)", a.putSaid(instrPos(c), "a "+types.TypeString(held[k], qual)), obj.Name(), types.TypeString(v.Type(), qual), types.TypeString(t.as, qual), a.line(instrPos(t.at))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(t.at), Message: "asserted here"}},
			})
			break
		}
	}
}

// putAs reports whether somebody puts a value of a type in a pool, or what may be one.
func (a *analysis) putAs(t types.Type, pool types.Object) bool {
	for c := range a.poolCalls("Put") {
		if a.variablePool(c.Common().Args[0]) != pool {
			continue
		}
		v := c.Common().Args[1]
		if ci, ok := v.(*ssa.ChangeInterface); ok {
			v = ci.X
		}
		var held []types.Type
		a.heldTypes(v, &held, map[ssa.Value]bool{}, 0)
		if len(held) == 0 || slices.ContainsFunc(held, func(h types.Type) bool { return types.Identical(h, t) }) {
			return true
		}
	}
	return false
}

// makesItself reports whether a function that takes from a pool returns a value of the asserted type that it did not
// take from there.
func (a *analysis) makesItself(at *ssa.TypeAssert) bool {
	for _, b := range at.Parent().Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range r.Results {
			if v = unboxed(v); v != ssa.Value(at) && types.Identical(v.Type(), at.AssertedType) {
				switch v.(type) {
				case *ssa.Alloc, *ssa.Call, *ssa.Extract:
					return true
				}
			}
		}
	}
	return false
}

// variablePool is the package's variable that is a pool, or a list or table of pools.
func (a *analysis) variablePool(pool ssa.Value) types.Object {
	obj := a.staticPool(pool)
	if obj == nil || obj.Pkg() != a.pkg.Pkg || obj.Parent() != a.pkg.Pkg.Scope() {
		return nil
	}
	return obj
}

// heldTypes are the types that the package puts in an interface.
func (a *analysis) heldTypes(v ssa.Value, held *[]types.Type, seen map[ssa.Value]bool, depth int) {
	if depth > 8 || seen[v] {
		return
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.MakeInterface:
		if t := x.X.Type(); !generic(t) && !slices.ContainsFunc(*held, func(h types.Type) bool { return types.Identical(h, t) }) {
			*held = append(*held, t)
		}
	case *ssa.ChangeInterface:
		a.heldTypes(x.X, held, seen, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			a.heldTypes(e, held, seen, depth+1)
		}
	case *ssa.Parameter:
		fn := x.Parent()
		k := slices.Index(fn.Params, x)
		for _, c := range a.callsOf(fn) {
			if args := c.Common().Args; !c.Common().IsInvoke() && k < len(args) && !a.inTest(c.Parent()) {
				a.heldTypes(args[k], held, seen, depth+1)
			}
		}
	case *ssa.Extract:
		if c, ok := x.Tuple.(*ssa.Call); ok {
			a.heldResults(c, x.Index, held, seen, depth)
		}
	case *ssa.Call:
		a.heldResults(x, 0, held, seen, depth)
	case *ssa.UnOp:
		if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			for _, r := range referrers(al) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == al {
					a.heldTypes(st.Val, held, seen, depth+1)
				}
			}
		}
	}
}

func (a *analysis) heldResults(c *ssa.Call, n int, held *[]types.Type, seen map[ssa.Value]bool, depth int) {
	fn := a.calledFunction(c)
	if fn == nil || c.Call.IsInvoke() {
		return
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && n < len(r.Results) {
			a.heldTypes(r.Results[n], held, seen, depth+1)
		}
	}
}

// typeTested reports whether somebody asks for the type of what an interface holds, here or, of a
// parameter, in the function.
func typeTested(v ssa.Value) bool {
	if v.Referrers() == nil {
		return true
	}
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		_, ok := r.(*ssa.TypeAssert)
		return ok
	})
}

// samePick reports whether two functions pick a pool by the same expression.
func samePick(x, y ssa.Value) bool {
	for depth := 0; depth < 8; depth++ {
		switch p := x.(type) {
		case *ssa.Global:
			return x == y
		case *ssa.UnOp:
			q, ok := y.(*ssa.UnOp)
			if !ok {
				return false
			}
			x, y = p.X, q.X
		case *ssa.FieldAddr:
			q, ok := y.(*ssa.FieldAddr)
			if !ok || p.Field != q.Field {
				return false
			}
			x, y = p.X, q.X
		case *ssa.IndexAddr:
			q, ok := y.(*ssa.IndexAddr)
			if !ok || !sameExpression(p.Index, q.Index, 0) {
				return false
			}
			x, y = p.X, q.X
		default:
			return false
		}
	}
	return false
}

// sameExpression reports whether two values in different functions are the same of their parameters, as
// these are named.
func sameExpression(x, y ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := x.(type) {
	case *ssa.Const:
		y, ok := y.(*ssa.Const)
		return ok && x.Value != nil && y.Value != nil && x.Value.ExactString() == y.Value.ExactString()
	case *ssa.Parameter:
		y, ok := y.(*ssa.Parameter)
		return ok && x.Name() == y.Name() && types.Identical(x.Type(), y.Type())
	case *ssa.Call:
		y, ok := y.(*ssa.Call)
		if !ok || x.Call.StaticCallee() == nil || x.Call.StaticCallee() != y.Call.StaticCallee() || len(x.Call.Args) != len(y.Call.Args) {
			return false
		}
		for k := range x.Call.Args {
			if !sameExpression(x.Call.Args[k], y.Call.Args[k], depth+1) {
				return false
			}
		}
		return true
	case *ssa.BinOp:
		y, ok := y.(*ssa.BinOp)
		return ok && x.Op == y.Op && sameExpression(x.X, y.X, depth+1) && sameExpression(x.Y, y.Y, depth+1)
	case *ssa.Convert:
		y, ok := y.(*ssa.Convert)
		return ok && sameExpression(x.X, y.X, depth+1)
	}
	return false
}
