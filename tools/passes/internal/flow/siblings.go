// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A struct may hold a pooled value in one field and slices of its memory in others. A
// function that is handed such a struct does not see where it was filled, so that the
// package is searched for what the fields always are.

// shapes is what is always true of the fields of the package's structs.
type shapes struct {
	// within gives, for a field, those that lead to a part of its value's memory
	// wherever they are set.
	within map[*types.Var][]*types.Var
	// own holds the pointer fields that are set only where their struct is made,
	// to something made there: it goes to the pool with the struct.
	own map[*types.Var]bool
	// whenNil holds the pointer fields that are set only so, or where they are nil, to something
	// made there, and never set back: what is there stays, and goes to the pool with the struct as well.
	whenNil map[*types.Var]bool
	// inArray holds the slice fields that begin in an array of the struct's own, see ownarray.go.
	inArray map[*types.Var]bool
}

// shapeStore is a store in a field of the struct at base.
type shapeStore struct {
	base  ssa.Value
	field *types.Var
	val   ssa.Value
	at    *ssa.Store
}

// collectShapes looks at all stores to fields.
func (a *analysis) collectShapes() {
	a.shapes = shapes{within: map[*types.Var][]*types.Var{}, own: map[*types.Var]bool{}, whenNil: map[*types.Var]bool{}}
	var stores []shapeStore
	byBase := map[ssa.Value][]shapeStore{}
	for _, fn := range a.fns {
		eachStore(fn, func(i *ssa.Store) {
			fa, ok := i.Addr.(*ssa.FieldAddr)
			if !ok {
				return
			}
			s := structOf(fa.X.Type())
			if s == nil {
				return
			}
			fs := shapeStore{fa.X, s.Field(fa.Field).Origin(), i.Val, i}
			stores = append(stores, fs)
			byBase[fa.X] = append(byBase[fa.X], fs)
		})
	}
	a.collectOwnArrays(stores)
	// of holds, for a slice field, the fields that each store took it from; nil
	// once a store took it from elsewhere.
	of := map[*types.Var][]*types.Var{}
	seen := map[*types.Var]bool{}
	var order []*types.Var
	foreign, late := map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, s := range stores {
		if isPtr(s.field.Type()) {
			switch {
			case freshIn(s), a.setToItsOwn(s):
			case setWhereNil(s):
				late[s.field] = true
			default:
				foreign[s.field] = true
			}
			if !seen[s.field] {
				seen[s.field] = true
				order = append(order, s.field)
			}
			continue
		}
		if !isSlice(s.field.Type()) || isNilConst(s.val) {
			continue
		}
		chain := derivation(s.val)
		var from []*types.Var
		self := false
		for _, x := range chain {
			if f := loadedField(x, s.base); f != nil {
				self = self || f == s.field
				from = append(from, f)
			}
			for _, t := range byBase[s.base] {
				if t.val == x && t.field != s.field && !isSlice(t.field.Type()) {
					from = append(from, t.field)
				}
			}
		}
		if self {
			continue // cut, or grown
		}
		if !seen[s.field] {
			seen[s.field] = true
			order = append(order, s.field)
			of[s.field] = from
			continue
		}
		of[s.field] = slices.DeleteFunc(slices.Clone(of[s.field]), func(f *types.Var) bool { return !slices.Contains(from, f) })
	}
	for _, f := range order {
		if isPtr(f.Type()) {
			if !foreign[f] && late[f] {
				a.shapes.whenNil[f] = true
			} else if !foreign[f] {
				a.shapes.own[f] = true
			}
			continue
		}
		for _, whole := range of[f] {
			if isPtr(whole.Type()) && !slices.Contains(a.shapes.within[whole], f) {
				a.shapes.within[whole] = append(a.shapes.within[whole], f)
			}
		}
	}
}

func isPtr(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// loadedField is the field of the struct at base that a value was loaded from.
func loadedField(v, base ssa.Value) *types.Var {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil
	}
	fa, ok := l.X.(*ssa.FieldAddr)
	if !ok || fa.X != base {
		return nil
	}
	return structOf(fa.X.Type()).Field(fa.Field).Origin()
}

// freshIn reports whether a store sets a field of a new struct to a new object.
func freshIn(s shapeStore) bool {
	if al, ok := s.base.(*ssa.Alloc); !ok || !al.Heap {
		return false
	}
	return isMade(s.val)
}

// setWhereNil reports whether a store sets a field to a new object where it was found to be nil.
func setWhereNil(s shapeStore) bool {
	if !isMade(s.val) {
		return false
	}
	b := s.at.Block()
	if len(b.Preds) != 1 {
		return false
	}
	p := b.Preds[0]
	t, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	c, ok := t.Cond.(*ssa.BinOp)
	if !ok || !isNilConst(c.Y) || loadedField(c.X, s.base) != s.field {
		return false
	}
	return c.Op == token.EQL && p.Succs[0] == b || c.Op == token.NEQ && p.Succs[1] == b
}

// isMade reports whether a value is a pointer to an object that is made on the spot.
func isMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Comment == "new" || v.Comment == "complit"
	case *ssa.Call:
		f := v.Call.StaticCallee()
		if f == nil || f.Object() == nil || f.Object().Pkg() == nil || !isStdPath(f.Object().Pkg().Path()) {
			return false
		}
		return len(f.Name()) >= 3 && f.Name()[:3] == "New"
	}
	return false
}

// derivation are the values that v's memory is a part of: v itself, what it is a
// slice of, where that was loaded from, and so on.
func derivation(v ssa.Value) []ssa.Value {
	var out []ssa.Value
	for n := 0; v != nil && n < 12; n++ {
		out = append(out, v)
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return out
			}
			v = x.X
		case *ssa.Call:
			f := calledMethod(x)
			if f == nil || effectOf(f) != eView || x.Call.IsInvoke() || len(x.Call.Args) == 0 {
				return out
			}
			v = x.Call.Args[0]
		default:
			return out
		}
	}
	return out
}

// alongside are the contents of other fields that go to the pool with the content of a field.
func (a *analysis) alongside(st *state, x *sym) []*sym {
	if x.kind != kLoad || x.a.kind != kField {
		return nil
	}
	f, ok := x.a.obj.(*types.Var)
	if !ok || len(a.shapes.within[f]) == 0 {
		return nil
	}
	obj := x.a.a
	s := a.structWith(f)
	var list []*sym
	for _, part := range a.shapes.within[f] {
		for i := range s.NumFields() {
			if s.Field(i).Origin() != part {
				continue
			}
			v := a.read(st, a.syms.field(obj, s, i), part.Type())
			if v.kind == kLoad {
				list = append(list, v)
			}
		}
	}
	return list
}

// structWith is the struct that has a field among its own.
func (a *analysis) structWith(f *types.Var) *types.Struct {
	if s, ok := a.structs[f]; ok {
		return s
	}
	if a.structs == nil {
		a.structs = map[*types.Var]*types.Struct{}
	}
	for _, tn := range a.pkg.Pkg.Scope().Names() {
		t, ok := a.pkg.Pkg.Scope().Lookup(tn).(*types.TypeName)
		if !ok {
			continue
		}
		if s, ok := t.Type().Underlying().(*types.Struct); ok {
			for v := range s.Fields() {
				a.structs[v.Origin()] = s
			}
		}
	}
	if a.structs[f] == nil {
		a.structs[f] = types.NewStruct(nil, nil)
	}
	return a.structs[f]
}

// goesAlong reports whether what a load gave goes to a pool with the object that it was
// loaded from.
func (a *analysis) goesAlong(x *sym) bool {
	if owned(x.typ) {
		return !a.entriesOnlySet(x)
	}
	if x.a.kind != kField {
		return false
	}
	f, ok := x.a.obj.(*types.Var)
	return ok && a.shapes.own[f]
}

// partGoesAlong reports whether the memory of the object that a load gave goes to a pool with the object that it was
// loaded from, or that object itself with the slice of which the other is an element. Whoever has the inner object of a pooled
// struct is told of by other rules (lentpart.go).
func (a *analysis) partGoesAlong(x *sym, part bool) bool {
	if x.a.kind != kField || !part && x.a.a.kind != kElem {
		return false
	}
	f, ok := x.a.obj.(*types.Var)
	return ok && a.shapes.whenNil[f]
}

// uses reports whether a goroutine reads a field of one of its objects.
func (g *spawn) uses(f *types.Var) bool {
	return g.body != nil && touchesField(g.body, f, 0)
}

func touchesField(fn *ssa.Function, f *types.Var, depth int) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if s := structOf(i.X.Type()); s != nil && s.Field(i.Field).Origin() == f {
				return true
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil && s.Field(i.Field).Origin() == f {
				return true
			}
		case ssa.CallInstruction:
			c := i.Common().StaticCallee()
			if c != nil && depth < 3 && c.Pkg == fn.Pkg && touchesField(c, f, depth+1) {
				return true
			}
		}
	}
	return false
}
