// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Function values are followed to where they were made: through parameters to the
// calls in the package, through variables, fields, maps and slices to what is stored
// there, through calls to what they return.

// A funcValue is a function that a value may be: a function, or a closure with
// the place where it is made.
type funcValue struct {
	fn   *ssa.Function
	made *ssa.MakeClosure
}

// Bounds on what is followed.
const (
	maxFound     = 32
	maxFuncs     = 4 // that are tried
	maxFuncDepth = 10
)

// A funcSearch looks for the functions that one value may be.
type funcSearch struct {
	a     *analysis
	seen  map[ssa.Value]bool
	found []funcValue
}

// funcsOf are the functions in view that a value may be: not all of them, as
// code out of view may pass or set others. nil if there are none, or many.
func (a *analysis) funcsOf(v ssa.Value) []funcValue {
	if list, ok := a.funcs[v]; ok {
		return list
	}
	s := &funcSearch{a: a, seen: map[ssa.Value]bool{}}
	s.value(v, 0)
	if len(s.found) > maxFuncs {
		if a.tooMany == nil {
			a.tooMany = map[ssa.Value]bool{}
		}
		a.tooMany[v] = true
		s.found = slices.DeleteFunc(s.found, func(f funcValue) bool { return !keepsSomething(f.fn) })
		if len(s.found) > maxFuncs {
			s.found = nil
		}
	}
	a.funcs[v] = s.found
	return s.found
}

// keepsSomething reports whether a function starts a goroutine, sends, or stores
// something that outlives it: of many functions, those are worth a look.
func keepsSomething(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate:
			return true
		case *ssa.Store:
			if _, local := i.Addr.(*ssa.Alloc); !local && pointery(i.Val.Type()) {
				return true
			}
		}
	}
	return false
}

func (s *funcSearch) add(f funcValue) {
	if len(s.found) <= maxFound && !slices.Contains(s.found, f) {
		s.found = append(s.found, f)
	}
}

// value looks at a value of function type.
func (s *funcSearch) value(v ssa.Value, depth int) {
	if v == nil || s.seen[v] || depth > maxFuncDepth || len(s.found) > maxFound {
		return
	}
	s.seen[v] = true
	switch v := v.(type) {
	case *ssa.Function:
		s.add(funcValue{fn: v})
	case *ssa.MakeClosure:
		s.add(funcValue{v.Fn.(*ssa.Function), v})
	case *ssa.ChangeType:
		s.value(v.X, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			s.value(e, depth+1)
		}
	case *ssa.Parameter:
		n := slices.Index(v.Parent().Params, v)
		for _, c := range s.a.sites[v.Parent()] {
			if args := c.Common().Args; n >= 0 && n < len(args) {
				s.value(args[n], depth+1)
			}
		}
		if n == 0 && v.Parent().Signature.Recv() != nil {
			for _, x := range s.a.converted[recvName(v.Type())] {
				s.value(x, depth+1)
			}
		}
	case *ssa.FreeVar:
		s.bindings(v, func(b ssa.Value) { s.value(b, depth+1) })
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Call:
			s.results(t, v.Index, depth+1)
		case *ssa.Lookup:
			s.elems(t.X, depth+1)
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok {
				s.elems(r.X, depth+1)
			}
		}
	case *ssa.Call:
		s.results(v, 0, depth+1)
	case *ssa.Lookup:
		s.elems(v.X, depth+1)
	case *ssa.Field:
		if t := structOf(v.X.Type()); t != nil {
			s.stored(t.Field(v.Field).Origin(), depth+1)
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			n := len(s.found)
			s.content(v.X, depth+1)
			if _, ofField := v.X.(*ssa.FieldAddr); ofField {
				s.found = append(s.found[:n:n], slices.DeleteFunc(slices.Clone(s.found[n:]), func(f funcValue) bool { return writtenAfter(f.fn, v) })...)
			}
		}
	}
}

// writtenAfter reports whether a function is a literal that stands further on in the function that reads a
// field, as where it takes the place of what was in the field: the reader found another one.
func writtenAfter(fn *ssa.Function, read *ssa.UnOp) bool {
	return fn.Parent() != nil && fn.Parent() == read.Parent() && read.Pos() < fn.Pos() && !inLoop(read.Block())
}

// content looks at what is stored at an address.
func (s *funcSearch) content(addr ssa.Value, depth int) {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		if t := structOf(addr.X.Type()); t != nil {
			s.stored(t.Field(addr.Field).Origin(), depth)
		}
	case *ssa.Global:
		s.stored(addr.Object(), depth)
	case *ssa.IndexAddr:
		s.elems(addr.X, depth)
	case *ssa.FreeVar:
		s.bindings(addr, func(b ssa.Value) { s.content(b, depth+1) })
	case *ssa.Alloc:
		for _, r := range referrers(addr) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
				s.value(st.Val, depth+1)
			}
		}
	}
}

// bindings visits what a captured variable stands for.
func (s *funcSearch) bindings(v *ssa.FreeVar, visit func(ssa.Value)) {
	n := slices.Index(v.Parent().FreeVars, v)
	for _, m := range s.a.closures[v.Parent()] {
		if n >= 0 && n < len(m.Bindings) {
			visit(m.Bindings[n])
		}
	}
}

// stored looks at all that is stored in a field or package-level variable.
func (s *funcSearch) stored(obj types.Object, depth int) {
	if obj == nil {
		return
	}
	for _, v := range s.a.storesTo[obj] {
		s.value(v, depth)
	}
}

// results looks at what the callees of a call return.
func (s *funcSearch) results(c *ssa.Call, n, depth int) {
	f := c.Call.StaticCallee()
	if f == nil {
		return
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && n < len(r.Results) {
			s.value(r.Results[n], depth)
		}
	}
}

// elems looks at the elements of a slice, an array or a map.
func (s *funcSearch) elems(v ssa.Value, depth int) {
	if v == nil || s.seen[v] || depth > maxFuncDepth || len(s.found) > maxFound {
		return
	}
	s.seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Alloc:
		for _, r := range referrers(v.(ssa.Value)) {
			switch r := r.(type) {
			case *ssa.MapUpdate:
				s.value(r.Value, depth+1)
			case *ssa.IndexAddr:
				for _, q := range referrers(r) {
					if st, ok := q.(*ssa.Store); ok && st.Addr == r {
						s.value(st.Val, depth+1)
					}
				}
			}
		}
	case *ssa.Slice:
		s.elems(v.X, depth+1)
	case *ssa.ChangeType:
		s.elems(v.X, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			s.elems(e, depth+1)
		}
	case *ssa.Parameter:
		n := slices.Index(v.Parent().Params, v)
		for _, c := range s.a.sites[v.Parent()] {
			if args := c.Common().Args; n >= 0 && n < len(args) {
				s.elems(args[n], depth+1)
			}
		}
	case *ssa.FreeVar:
		s.bindings(v, func(b ssa.Value) { s.elems(b, depth+1) })
	case *ssa.Lookup:
		s.inner(v.X, depth+1)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Lookup:
			s.inner(t.X, depth+1)
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok {
				s.inner(r.X, depth+1)
			}
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			for _, x := range v.Call.Args {
				s.elems(x, depth+1)
			}
		}
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return
		}
		obj := placeOf(v.X)
		if obj == nil {
			return
		}
		for _, x := range s.a.storesTo[obj] {
			s.elems(x, depth+1)
		}
		for _, x := range s.a.updates[obj] {
			s.value(x, depth+1)
		}
	}
}

// inner looks at the elements of the elements of a map that is kept in a field or
// variable.
func (s *funcSearch) inner(v ssa.Value, depth int) {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return
	}
	for _, x := range s.a.updates[placeOf(l.X)] {
		s.elems(x, depth)
	}
}

// placeOf is the field or package-level variable at an address.
func placeOf(addr ssa.Value) types.Object {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		if s := structOf(addr.X.Type()); s != nil {
			return s.Field(addr.Field).Origin()
		}
	case *ssa.Global:
		return addr.Object()
	}
	return nil
}

// collectFuncs finds the stores, calls and closures that lead to functions.
func (a *analysis) collectFuncs() {
	a.funcs, a.sites, a.closures = map[ssa.Value][]funcValue{}, map[*ssa.Function][]ssa.CallInstruction{}, map[*ssa.Function][]*ssa.MakeClosure{}
	a.storesTo, a.updates = map[types.Object][]ssa.Value{}, map[types.Object][]ssa.Value{}
	a.converted = map[*types.TypeName][]ssa.Value{}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.ChangeType:
			if _, isFunc := i.Type().Underlying().(*types.Signature); isFunc {
				if n := recvName(i.Type()); n != nil && n.Pkg() == a.pkg.Pkg {
					a.converted[n] = append(a.converted[n], i.X)
				}
			}
		case *ssa.Store:
			if obj := placeOf(i.Addr); obj != nil && holdsFuncs(obj.Type()) {
				a.storesTo[obj] = append(a.storesTo[obj], i.Val)
			}
		case *ssa.MapUpdate:
			if l, ok := i.Map.(*ssa.UnOp); ok {
				if obj := placeOf(l.X); obj != nil && holdsFuncs(obj.Type()) {
					a.updates[obj] = append(a.updates[obj], i.Value)
				}
			}
		case *ssa.MakeClosure:
			f := i.Fn.(*ssa.Function)
			a.closures[f] = append(a.closures[f], i)
		}
		if c, ok := i.(ssa.CallInstruction); ok {
			if f := c.Common().StaticCallee(); f != nil {
				if o := f.Origin(); o != nil {
					f = o
				}
				a.sites[f] = append(a.sites[f], c)
			}
		}
	}
}

// holdsFuncs reports whether a type is that of a function, or of a slice, array
// or map of functions.
func holdsFuncs(t types.Type) bool {
	// A type may hold itself: type tree []tree.
	for range 4 {
		switch u := t.Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return false
		}
	}
	return false
}

// alternatives are the callees that a call through a function value, or an
// interface, may have in view. The last of them is nil, which stands for code out of
// view. They are followed where they can matter.
func (a *analysis) alternatives(st *state, c *ssa.CallCommon, of *sym, args []*sym) []*sym {
	if len(st.f.stack) >= a.maxDepth {
		return nil
	}
	a.partAtDepth(len(st.f.stack))
	strangers := !c.IsInvoke() && a.givenByNobody(c.Value)
	if p, isParam := c.Value.(*ssa.Parameter); isParam && !c.IsInvoke() && !strangers && len(a.converted[recvName(p.Type())]) == 0 {
		return nil // the callers, who pass it, are followed through this call
	}
	var list []*sym
	if c.IsInvoke() {
		if _, known := poolFuncOf(c.Method); known {
			return nil
		}
		for _, m := range a.implementations(c) {
			list = append(list, a.syms.intern(symKey{kind: kFunc, obj: m}, m.Type()))
		}
	} else if strangers {
		list = a.strangers(c)
	} else {
		for _, f := range a.funcsOf(c.Value) {
			if f.made != nil {
				list = append(list, a.unbound(f.made, owner(a.val(st, c.Value))))
			} else {
				list = append(list, a.syms.intern(symKey{kind: kFunc, obj: f.fn}, f.fn.Type()))
			}
		}
	}
	list = slices.DeleteFunc(list, func(f *sym) bool {
		fn := f.obj.(*ssa.Function)
		return len(fn.Blocks) == 0 || !a.inPackage(fn)
	})
	if len(list) == 0 || !a.concern(st, list, args) {
		return nil
	}
	if !a.several {
		a.met = true
		return nil
	}
	// What was chosen once on the path is chosen again.
	of = choiceFor(of)
	if f := st.chosen[of]; f != nil {
		if f == of {
			return nil
		}
		fn := f.obj.(*ssa.Function)
		list = slices.DeleteFunc(list, func(g *sym) bool {
			other := g.obj.(*ssa.Function)
			if c.IsInvoke() {
				return recvType(other) != recvType(fn)
			}
			return other != fn
		})
		if len(list) > 0 {
			return list
		}
		return nil
	}
	return append(list, nil)
}

// choiceFor is what a choice among callees holds for: the variable or field that a function value or object was read from,
// for code out of view that may set it hardly sets it to one of another type, or the value itself.
func choiceFor(of *sym) *sym {
	if of.kind == kLoad {
		switch of.a.kind {
		case kField, kGlobal, kFree:
			return of.a
		}
	}
	return of
}

// concern reports whether some callee deals with pools, or an argument leads to a
// pooled value.
func (a *analysis) concern(st *state, fns, args []*sym) bool {
	for _, f := range fns {
		if a.relevant[f.obj.(*ssa.Function)] {
			return true
		}
	}
	hit := a.queued(fns, args) || a.keptBy(fns, args)
	for _, x := range args {
		if hasPointers0(x) && !hit {
			a.reach(st, x, func(y *sym) bool {
				hit = hit || y.kind == kToken || st.rel[y] != nil
				return !hit
			})
		}
	}
	return hit
}

// maxImplementations bounds the types behind an interface that are tried.
const maxImplementations = 3

// An interfaceMethod is what a call through an interface names.
type interfaceMethod struct {
	of   *types.Interface
	name *types.Func
}

// implementations are the methods in view that an interface call may reach. The list is shared.
func (a *analysis) implementations(c *ssa.CallCommon) []*ssa.Function {
	n, ok := types.Unalias(c.Value.Type()).(*types.Named)
	if !ok || n.Obj().Pkg() != a.pkg.Pkg {
		return nil
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	k := interfaceMethod{it, c.Method}
	list, known := a.behindCall[k]
	if !known {
		list = a.methodsBehind(c, it)
		set(&a.behindCall, k, list)
	}
	return list
}

func (a *analysis) methodsBehind(c *ssa.CallCommon, it *types.Interface) []*ssa.Function {
	var list []*ssa.Function
	for _, t := range a.implementers(it) {
		if sel := types.NewMethodSet(t).Lookup(c.Method.Pkg(), c.Method.Name()); sel != nil {
			if m := a.prog.MethodValue(sel); m != nil {
				list = append(list, m)
			}
		}
	}
	if len(list) > maxImplementations {
		list = slices.DeleteFunc(list, func(m *ssa.Function) bool { return !keepsSomething(m) })
	}
	if len(list) > 2*maxImplementations {
		return nil
	}
	return list
}

// implementers are the types of the package that implement an interface.
func (a *analysis) implementers(it *types.Interface) []types.Type {
	if list, ok := a.behind[it]; ok {
		return list
	}
	var list []types.Type
	scope := a.pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
			continue
		}
		if nt, ok := tn.Type().(*types.Named); ok && nt.TypeParams().Len() > 0 {
			continue
		}
		p := types.NewPointer(tn.Type())
		switch {
		case types.Implements(tn.Type(), it):
			list = append(list, tn.Type())
		case types.Implements(p, it):
			list = append(list, p)
		}
	}
	if a.behind == nil {
		a.behind = map[*types.Interface][]types.Type{}
	}
	a.behind[it] = list
	return list
}
