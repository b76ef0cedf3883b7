// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A free list may be an array that is used as a ring: one function takes an element out, sets its place to nil
// or counts its place up, and returns it, another stores its parameter there, and nothing else is done with the elements. And the
// one who finds a list or ring empty may be the caller of the function that takes, who makes something new then.

// collectRings finds the arrays and slices that serve as pools, element by element, and adds the functions that
// take from them or put to them.
func (a *analysis) collectRings(direct map[*ssa.Function]bool) {
	uses := map[types.Object]*listUse{}
	elem := map[*ssa.Store]ssa.Value{}
	cleared := map[types.Object]map[*ssa.Function]bool{}
	of := func(obj types.Object) *listUse {
		u := uses[obj]
		if u == nil {
			u = new(listUse)
			uses[obj], cleared[obj] = u, map[*ssa.Function]bool{}
		}
		return u
	}
	element := func(obj types.Object, ia *ssa.IndexAddr) {
		u, fn := of(obj), ia.Parent()
		for _, r := range referrers(ia) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				if r.Addr != ia {
					u.other = true
				} else if isNilConst(r.Val) {
					cleared[obj][fn] = true
				} else if p, ok := derivedFrom(r.Val).(*ssa.Parameter); ok && p.Parent() == fn {
					u.puts = append(u.puts, r)
					elem[r] = r.Val
				} else {
					u.other = true
				}
			case *ssa.UnOp:
				if comparedOnly(r) {
					continue
				}
				u.takes = append(u.takes, r)
			default:
				u.other = true
			}
		}
	}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			obj := ringPlace(i)
			if obj == nil {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.IndexAddr:
					element(obj, r)
				case *ssa.Store:
					if _, made := r.Val.(*ssa.MakeSlice); r.Addr != i || !made {
						of(obj).other = true
					}
				case *ssa.UnOp:
					a.ringLoaded(of(obj), r, func(ia *ssa.IndexAddr) { element(obj, ia) })
				default:
					of(obj).other = true
				}
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil {
				of(s.Field(i.Field).Origin()).other = true
			}
		}
	}
	for obj, u := range uses {
		if u.other || len(u.takes) == 0 || len(u.puts) == 0 || obj.Exported() || obj.Pkg() != a.pkg.Pkg {
			continue
		}
		if slices.ContainsFunc(u.takes, func(t *ssa.UnOp) bool {
			fn := t.Parent()
			return !cleared[obj][fn] && !goesRound(t) || !returnsOrNew(fn, t) && !a.newElsewhere(fn, t)
		}) {
			continue
		}
		p := &pool{key: obj, name: "the ring " + obj.Name(), api: "slice", known: true, ring: true}
		for _, t := range u.takes {
			a.sliceLists.takes[t] = p
			direct[t.Parent()] = true
		}
		for _, i := range u.puts {
			s, ok := i.(*ssa.Store)
			if !ok {
				continue
			}
			a.sliceLists.puts[s] = p
			a.sliceLists.elem[s] = elem[s]
			direct[s.Parent()] = true
			if fa, ok := ringField(s); ok {
				for v := range structOf(fa.X.Type()).Fields() {
					a.sliceLists.beside[v.Origin()] = true
				}
			}
		}
	}
}

// goesRound reports whether an element was found by a number modulo another, in a field that the function counts up.
func goesRound(t *ssa.UnOp) bool {
	ia, ok := t.X.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	rem, ok := ia.Index.(*ssa.BinOp)
	if !ok || rem.Op != token.REM {
		return false
	}
	x := rem.X
	if b, ok := x.(*ssa.BinOp); ok && isConst(b.Y) {
		x = b.X // of the one before
	}
	f := fieldRead(x)
	if f == nil {
		return false
	}
	for i := range instrsOf(t.Parent()) {
		s, ok := i.(*ssa.Store)
		if !ok || fieldAt(s.Addr) != f {
			continue
		}
		if b, ok := s.Val.(*ssa.BinOp); ok && b.Op == token.ADD && fieldRead(b.X) == f && isConst(b.Y) {
			return true
		}
	}
	return false
}

// ringField is the field whose element a store sets.
func ringField(st *ssa.Store) (*ssa.FieldAddr, bool) {
	ia, ok := st.Addr.(*ssa.IndexAddr)
	if !ok {
		return nil, false
	}
	x := ia.X
	if l, ok := x.(*ssa.UnOp); ok {
		x = l.X
	}
	fa, ok := x.(*ssa.FieldAddr)
	return fa, ok && structOf(fa.X.Type()) != nil
}

// ringPlace is the field of an address, if it holds an array or slice of pointers.
func ringPlace(fa *ssa.FieldAddr) types.Object {
	obj := placeOf(fa)
	if obj == nil {
		return nil
	}
	var e types.Type
	switch t := obj.Type().Underlying().(type) {
	case *types.Array:
		e = t.Elem()
	case *types.Slice:
		e = t.Elem()
	default:
		return nil
	}
	if _, isPtr := e.Underlying().(*types.Pointer); !isPtr && !isAny(e) {
		return nil
	}
	if m, _, _ := types.LookupFieldOrMethod(e, true, nil, "Close"); m != nil {
		return nil
	}
	return obj
}

// ringLoaded looks at what is done with a slice that serves as a ring.
func (a *analysis) ringLoaded(u *listUse, l *ssa.UnOp, element func(*ssa.IndexAddr)) {
	for _, r := range referrers(l) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			element(r)
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "cap" {
				u.other = true
			}
		default:
			u.other = true
		}
	}
}

// comparedOnly reports whether a value is only compared.
func comparedOnly(v ssa.Value) bool {
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r.(type) {
		case *ssa.BinOp, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// newElsewhere reports whether a function returns a value, or nil, and a caller of it returns what it gets,
// or else something new.
func (a *analysis) newElsewhere(fn *ssa.Function, got ssa.Value) bool {
	if !returnsOrNil(fn, got) {
		return false
	}
	if a.staticCalls == nil {
		a.staticCalls = map[*ssa.Function][]*ssa.Call{}
		for _, i := range a.instrs() {
			if c, ok := i.(*ssa.Call); ok && !c.Call.IsInvoke() {
				if g := c.Call.StaticCallee(); g != nil && a.inPackage(g) {
					a.staticCalls[origin(g)] = append(a.staticCalls[origin(g)], c)
				}
			}
		}
	}
	calls := a.staticCalls[fn]
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c *ssa.Call) bool { return !a.inTest(c.Parent()) && !returnsOrNew(c.Parent(), c) && !takenOrNew(c) })
}

// takenOrNew reports whether a function goes on with what a call gave, or with something that it makes where there was none.
func takenOrNew(c ssa.Value) bool {
	for _, r := range referrers(c) {
		switch r := r.(type) {
		case *ssa.Phi:
			if slices.ContainsFunc(r.Edges, madeHere) {
				return true
			}
		case *ssa.TypeAssert:
			if takenOrNew(r) {
				return true
			}
		case *ssa.Extract:
			if r.Index == 0 && takenOrNew(r) {
				return true
			}
		}
	}
	return false
}

// returnsOrNil reports whether a function returns a value, or else nil, and has no other result.
func returnsOrNil(fn *ssa.Function, got ssa.Value) bool {
	taken, none := false, false
	if fn.Signature.Results().Len() != 1 {
		return false
	}
	var leaf func(v ssa.Value, depth int) bool
	leaf = func(v ssa.Value, depth int) bool {
		switch x := derivedFrom(v).(type) {
		case *ssa.Const:
			none = none || x.Value == nil
			return x.Value == nil
		case *ssa.Phi:
			return depth < 4 && !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !leaf(e, depth+1) })
		case *ssa.UnOp:
			if x == got {
				taken = true
				return true
			}
			// Where calls are deferred, results are kept in variables.
			if al, ok := x.X.(*ssa.Alloc); ok && depth < 4 {
				for _, r := range referrers(al) {
					if s, ok := r.(*ssa.Store); ok && s.Addr == al && !leaf(s.Val, depth+1) {
						return false
					}
				}
				return true
			}
		}
		if derivedFrom(v) == got {
			taken = true
			return true
		}
		return false
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && !leaf(r.Results[0], 0) {
			return false
		}
	}
	return taken && none
}

// mayHaveRing reports whether a package sets elements of a field to nil, and elsewhere to a variable.
func mayHaveRing(pass *goanalysis.Pass) bool {
	cleared, set := map[types.Object]bool{}, map[types.Object]bool{}
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if ix, ok := n.(*ast.IndexExpr); ok {
				if obj := goneRound(pass.TypesInfo, ix); obj != nil && obj.Pkg() == pass.Pkg && !obj.Exported() {
					cleared[obj] = true
					found = found || set[obj]
				}
			}
			s, ok := n.(*ast.AssignStmt)
			if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN {
				return !found
			}
			ix, ok := s.Lhs[0].(*ast.IndexExpr)
			if !ok {
				return !found
			}
			sel, ok := ix.X.(*ast.SelectorExpr)
			if !ok {
				return !found
			}
			x, ok := s.Rhs[0].(*ast.Ident)
			obj := pass.TypesInfo.Uses[sel.Sel]
			if !ok || obj == nil || obj.Exported() || obj.Pkg() != pass.Pkg {
				return !found
			}
			if x.Name == "nil" {
				cleared[obj] = true
			} else {
				set[obj] = true
			}
			found = found || cleared[obj] && set[obj]
			return !found
		})
	}
	return found
}

// goneRound is the field of which an expression takes an element by a number modulo another, if it holds pointers or anything.
func goneRound(info *types.Info, ix *ast.IndexExpr) types.Object {
	b, ok := ast.Unparen(ix.Index).(*ast.BinaryExpr)
	if !ok || b.Op != token.REM {
		return nil
	}
	sel, ok := ix.X.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	t := info.TypeOf(ix)
	if t == nil {
		return nil
	}
	if _, isPtr := t.Underlying().(*types.Pointer); !isPtr && !isAny(t) {
		return nil
	}
	return info.Uses[sel.Sel]
}

// countsRing reports whether an address is that of a number beside a ring, which counts its elements.
func (a *analysis) countsRing(addr *sym) bool {
	if len(a.sliceLists.beside) == 0 {
		return false
	}
	for depth := 0; addr != nil && addr.kind == kField && depth < 3; depth++ {
		if v, ok := addr.obj.(*types.Var); ok && a.sliceLists.beside[v.Origin()] {
			return true
		}
		addr = addr.a
	}
	return false
}

// listedBy is the parameter that a store puts in a list or ring, if it is one.
func listedBy(i ssa.Instruction) ssa.Value {
	st, ok := i.(*ssa.Store)
	if !ok {
		return nil
	}
	v := st.Val
	if c, ok := v.(*ssa.Call); ok {
		if b, ok := c.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(c.Call.Args) != 2 {
			return nil
		}
		v = onlyVararg(c.Call.Args[1])
	}
	if p, ok := v.(*ssa.Parameter); ok {
		return p
	}
	return nil
}
