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

// A slice serves as a pool where one function takes an element off it and returns that, or
// something new, and another appends its parameter; and where nothing else is done with it.
// A stack of work is told from it by this: who finds that empty makes nothing new.

// sliceLists are the slices of a package that serve as pools.
type sliceLists struct {
	takes  map[*ssa.UnOp]*pool       // loads of the element that is taken
	puts   map[ssa.Instruction]*pool // stores of the slice with an element more
	elem   map[ssa.Instruction]ssa.Value
	pops   map[*ssa.Store]bool // stores that take the first node off a chain
	beside map[*types.Var]bool // the fields of structs with an array that serves as one
}

// listUse is what a package does with one slice.
type listUse struct {
	takes []*ssa.UnOp
	puts  []ssa.Instruction
	set   []*ssa.Store // elements set by functions that make the slice longer first
	other bool
}

// collectSliceLists finds the slices that serve as pools, and adds the functions that take
// from them or put to them.
func (a *analysis) collectSliceLists(direct map[*ssa.Function]bool) {
	uses := tally[listUse]{}
	elem := map[ssa.Instruction]ssa.Value{}
	stored := func(fn *ssa.Function, i ssa.Instruction, val ssa.Value, obj types.Object) {
		switch x, what := listStore(val, obj); what {
		case listPut:
			if p, ok := derivedFrom(x).(*ssa.Parameter); ok && p.Parent() == fn {
				uses.of(obj).puts = append(uses.of(obj).puts, i)
				elem[i] = x
			} else {
				uses.of(obj).other = true
			}
		case listOther:
			uses.of(obj).other = true
		}
	}
	for fn, i := range a.instrs() {
		if obj := otherwise(i); obj != nil {
			uses.of(obj).other = true
		}
		switch i := i.(type) {
		case *ssa.FieldAddr:
			obj := listPlace(i)
			if obj == nil {
				continue
			}
			for _, r := range referrers(i) {
				if !loadsOrStores(r, i) {
					uses.of(obj).other = true
				}
			}
		case *ssa.UnOp:
			if obj := listAt(i); obj != nil {
				uses.of(obj).loaded(a, fn, i)
			}
		case *ssa.Lookup:
			if obj := listAt(i); obj != nil {
				uses.of(obj).loaded(a, fn, i)
			}
		case *ssa.Extract:
			if obj := listAt(i); obj != nil {
				uses.of(obj).loaded(a, fn, i)
			}
		case *ssa.Store:
			if obj := cellPlace(i.Addr); obj != nil {
				stored(fn, i, i.Val, obj)
			}
		case *ssa.MapUpdate:
			if obj := classesAt(i.Map); obj != nil {
				stored(fn, i, i.Value, obj)
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil {
				uses.of(s.Field(i.Field).Origin()).other = true // a copy of the struct
			}
		}
	}
	a.sliceLists = sliceLists{takes: map[*ssa.UnOp]*pool{}, puts: map[ssa.Instruction]*pool{}, elem: elem, pops: map[*ssa.Store]bool{}, beside: map[*types.Var]bool{}}
	for obj, u := range uses {
		for _, s := range u.set {
			if p, ok := derivedFrom(s.Val).(*ssa.Parameter); ok && p.Parent() == s.Parent() {
				u.puts, elem[s] = append(u.puts, s), s.Val
			} else {
				u.other = true
			}
		}
		if u.other || len(u.takes) == 0 || len(u.puts) == 0 || obj.Exported() || obj.Pkg() != a.pkg.Pkg || a.closedOtherwise(u) {
			continue
		}
		p := &pool{key: obj, name: "the list " + obj.Name(), api: "slice", known: true, scarce: slices.ContainsFunc(u.takes, waitsForOne)}
		a.sliceLists.add(p, u, direct)
	}
}

// add notes what takes from a pool and what puts to it, and the functions that do.
func (l *sliceLists) add(p *pool, u *listUse, direct map[*ssa.Function]bool) {
	p.users = new(listUsers)
	for _, t := range u.takes {
		p.users.takers = append(p.users.takers, t.Parent())
		l.takes[t] = p
		direct[t.Parent()] = true
	}
	for _, i := range u.puts {
		p.users.putters = append(p.users.putters, i.Parent())
		l.puts[i] = p
		direct[i.Parent()] = true
	}
}

// listPlace is the field or variable at an address, if it holds a slice of what may be pooled.
func listPlace(addr ssa.Value) types.Object {
	obj := placeOf(addr)
	if obj == nil || !listOf(obj.Type()) {
		return nil
	}
	return obj
}

// listOf reports whether t is a slice of what may be pooled.
func listOf(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok || !pointery(s.Elem()) || types.IsInterface(s.Elem()) && !isAny(s.Elem()) {
		return false
	}
	// A connection, say, is closed where it is not kept. A Close that keeps it is asked for later.
	m, _, _ := types.LookupFieldOrMethod(s.Elem(), true, nil, "Close")
	return m == nil || pointee(s.Elem()) != nil && m.Pkg() == pointee(s.Elem()).Obj().Pkg()
}

// closedOtherwise reports whether the elements of a slice have a Close, and that does not append them to it.
func (a *analysis) closedOtherwise(u *listUse) bool {
	elem := a.sliceLists.elem[u.puts[0]].Type()
	sel := types.NewMethodSet(elem).Lookup(a.pkg.Pkg, "Close")
	if sel == nil {
		return false
	}
	fn := a.prog.MethodValue(sel)
	if fn == nil || len(fn.Params) == 0 {
		return true
	}
	return !slices.ContainsFunc(u.puts, func(put ssa.Instruction) bool {
		return appendedBy(fn, fn.Params[0], put, a.sliceLists.elem[put], 0)
	})
}

// appendedBy reports whether a function, or one that it calls, does with a parameter what an instruction does with a value.
func appendedBy(fn *ssa.Function, p ssa.Value, put ssa.Instruction, elem ssa.Value, depth int) bool {
	if put.Parent() == fn {
		return derivedFrom(elem) == p
	}
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || depth > 2 {
			continue
		}
		callee := c.Common().StaticCallee()
		for k, x := range c.Common().Args {
			if x == p && callee != nil && k < len(callee.Params) && appendedBy(callee, callee.Params[k], put, elem, depth+1) {
				return true
			}
		}
	}
	return false
}

func loadsOrStores(r ssa.Instruction, addr ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.UnOp:
		return true
	case *ssa.Store:
		return r.Addr == addr
	}
	return false
}

const (
	listHarmless = iota
	listPut
	listOther
)

// listStore tells what a store of a slice does to it, and which element it adds.
func listStore(val ssa.Value, obj types.Object) (added ssa.Value, what int) {
	switch v := val.(type) {
	case *ssa.Const, *ssa.MakeSlice:
		return nil, listHarmless
	case *ssa.Slice:
		if _, made := v.X.(*ssa.Alloc); made || ofPlace(v.X, obj) {
			return nil, listHarmless // make with a constant size, or an element taken off
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(v.Call.Args) == 2 && ofPlace(v.Call.Args[0], obj) {
			if x := onlyVararg(v.Call.Args[1]); x != nil {
				return x, listPut
			}
		}
	}
	return nil, listOther
}

// ofPlace reports whether a slice was read from a field or variable.
func ofPlace(v ssa.Value, obj types.Object) bool {
	return listAt(v) == obj
}

// onlyVararg is the one value that an array of variable arguments holds.
func onlyVararg(v ssa.Value) ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	al, ok := s.X.(*ssa.Alloc)
	if !ok || al.Comment != "varargs" {
		return nil
	}
	var only ssa.Value
	for _, r := range referrers(al) {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, w := range referrers(ia) {
			if w, ok := w.(*ssa.Store); ok {
				if only != nil {
					return nil
				}
				only = w.Val
			}
		}
	}
	return only
}

// loaded looks at what a function does with the slice that it read.
func (u *listUse) loaded(a *analysis, fn *ssa.Function, l ssa.Value) {
	obj := listAt(l)
	for _, r := range referrers(l) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp: // compared with nil
		case *ssa.Slice:
			for _, s := range referrers(r) {
				switch s := s.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					u.other = u.other || cellPlace(s.Addr) != obj
				case *ssa.MapUpdate:
					u.other = u.other || classesAt(s.Map) != obj
				default:
					u.other = true
				}
			}
		case *ssa.IndexAddr:
			for _, e := range referrers(r) {
				switch e := e.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if c, ok := e.Val.(*ssa.Const); e.Addr == r && !ok && makesLonger(fn, obj) {
						u.set = append(u.set, e)
					} else if e.Addr != r || !ok || c.Value != nil {
						u.other = true
					}
				case *ssa.UnOp:
					if takesOff(fn, obj) && (returnsOrNew(fn, e) || a.newElsewhere(fn, e)) {
						u.takes = append(u.takes, e)
					} else {
						u.other = true
					}
				default:
					u.other = true
				}
			}
		case *ssa.Call:
			b, ok := r.Call.Value.(*ssa.Builtin)
			if !ok {
				u.other = true
				continue
			}
			switch b.Name() {
			case "len", "cap":
			case "append":
				if r.Call.Args[0] != l {
					u.other = true
				}
			default:
				u.other = true
			}
		default:
			u.other = true
		}
	}
}

// takesOff reports whether a function makes a slice shorter.
func takesOff(fn *ssa.Function, obj types.Object) bool {
	found := false
	eachStore(fn, func(s *ssa.Store) {
		v, ok := s.Val.(*ssa.Slice)
		found = found || ok && cellPlace(s.Addr) == obj && ofPlace(v.X, obj)
	})
	for i := range instrsOf(fn) {
		if s, ok := i.(*ssa.MapUpdate); ok && !found {
			v, ok := s.Value.(*ssa.Slice)
			found = ok && classesAt(s.Map) == obj && ofPlace(v.X, obj)
		}
	}
	return found
}

// makesLonger reports whether a function makes a slice one longer, within its capacity.
func makesLonger(fn *ssa.Function, obj types.Object) bool {
	found := false
	eachStore(fn, func(s *ssa.Store) {
		v, ok := s.Val.(*ssa.Slice)
		if !ok || cellPlace(s.Addr) != obj || !ofPlace(v.X, obj) {
			return
		}
		n, ok := v.High.(*ssa.BinOp)
		found = found || ok && v.Low == nil && n.Op == token.ADD
	})
	return found
}

// returnsOrNew reports whether a function returns a value, or else something new.
func returnsOrNew(fn *ssa.Function, got ssa.Value) bool {
	taken, fresh := false, false
	var leaf func(v ssa.Value, depth int)
	leaf = func(v ssa.Value, depth int) {
		if v = derivedFrom(v); v == got {
			taken = true
			return
		}
		switch v := v.(type) {
		case *ssa.Phi:
			if depth < 4 {
				for _, e := range v.Edges {
					leaf(e, depth+1)
				}
			}
		case *ssa.Alloc:
			fresh = fresh || v.Heap
		case *ssa.MakeSlice, *ssa.Call:
			fresh = true
		case *ssa.UnOp:
			// Where calls are deferred, results are kept in variables.
			if al, ok := v.X.(*ssa.Alloc); ok && depth < 4 {
				for _, r := range referrers(al) {
					if s, ok := r.(*ssa.Store); ok && s.Addr == al {
						leaf(s.Val, depth+1)
					}
				}
			}
		}
	}
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, x := range ret.Results {
				if types.Identical(x.Type(), got.Type()) {
					leaf(x, 0)
				}
			}
		}
	}
	return taken && fresh
}

// takeFromList follows the load of the element that is taken off a slice that serves as a
// pool. It reports whether it is one.
func (a *analysis) takeFromList(st *state, i *ssa.UnOp) bool {
	p := a.sliceLists.takes[i]
	if p == nil {
		return false
	}
	t := a.makeFrom(st, kToken, i, 0, i.Type(), nil, p)
	if t.stack == nil {
		for _, s := range append(slices.Clip(st.f.stack), i) {
			t.stack = append(t.stack, instrPos(s))
		}
		t.pool, t.obj = p, i
	}
	if !types.IsInterface(i.Type()) {
		if _, isPtr := i.Type().Underlying().(*types.Pointer); isPtr && headAt(i.X).node == nil {
			st.truth[a.syms.nilTest(t)] = false
		}
	}
	st.toks = append(slices.Clip(st.toks), t)
	st.f.env.set(i, t)
	return true
}

// putToList follows the store of a slice that serves as a pool, with an element more, or of the head of a chain
// that does. It reports whether it is one.
func (a *analysis) putToList(st *state, i ssa.Instruction) bool {
	p := a.sliceLists.puts[i]
	if st, ok := i.(*ssa.Store); p == nil && (!ok || !a.sliceLists.pops[st]) {
		return false
	}
	if p != nil {
		a.shelve(st, i, a.val(st, a.sliceLists.elem[i]), p)
	}
	var addr *sym
	switch i := i.(type) {
	case *ssa.Store:
		addr = a.val(st, i.Addr)
	case *ssa.MapUpdate:
		addr = a.syms.elem(a.val(st, i.Map), a.val(st, i.Key), nil)
	}
	delete(st.mem, addr)
	set(&st.epoch, addr, st.epoch[addr]+1)
	return true
}

// mayHaveSliceList reports whether a package appends to fields, or variables of its own, and
// cuts elements off the same.
func mayHaveSliceList(pass *goanalysis.Pass) bool {
	appended, cut := map[types.Object]bool{}, map[types.Object]bool{}
	copies := map[*types.Var]types.Object{} // local variables for them
	named := func(x ast.Expr) types.Object {
		if ix, ok := x.(*ast.IndexExpr); ok {
			x = ix.X // of one of several
		}
		switch x := x.(type) {
		case *ast.SelectorExpr:
			return pass.TypesInfo.Uses[x.Sel]
		case *ast.Ident:
			v, ok := pass.TypesInfo.Uses[x].(*types.Var)
			if ok && v.Parent() == pass.Pkg.Scope() {
				return v
			}
			if ok {
				return copies[v]
			}
		}
		return nil
	}
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.AssignStmt)
			if !ok || len(s.Rhs) != 1 {
				return !found
			}
			if id, ok := s.Lhs[0].(*ast.Ident); ok {
				if v, ok := pass.TypesInfo.ObjectOf(id).(*types.Var); ok && v.Parent() != pass.Pkg.Scope() {
					if obj := named(s.Rhs[0]); obj != nil {
						copies[v] = obj
					}
				}
			}
			if len(s.Lhs) != 1 {
				return !found
			}
			obj := named(s.Lhs[0])
			if obj == nil || obj.Exported() || obj.Pkg() != pass.Pkg || !listOf(obj.Type()) && !classesOf(obj.Type()) {
				return !found
			}
			switch r := s.Rhs[0].(type) {
			case *ast.SliceExpr:
				cut[obj] = cut[obj] || named(r.X) == obj
			case *ast.CallExpr:
				if fn, ok := r.Fun.(*ast.Ident); ok && fn.Name == "append" && len(r.Args) == 2 {
					appended[obj] = appended[obj] || named(r.Args[0]) == obj
				}
			}
			found = found || appended[obj] && cut[obj]
			return !found
		})
	}
	return found
}

// isAny reports whether a type is an interface without methods.
func isAny(t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	return ok && it.Empty()
}
