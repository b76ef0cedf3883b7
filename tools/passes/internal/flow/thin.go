// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Many packages do not call sync.Pool, but a function or generic type of another package that
// does nothing else: Get[T](p *sync.Pool) T, or the methods of a Pool[T]. Whatever is known of the
// pool belongs to the caller's variable, and so such a call is read as what it stands for: before
// anything is followed, it is made a call of the pool's own method. And a call
// through a variable of an interface type that is a pool, and only ever holds one of one type, is made a
// call of the method of that type.

// A Thin says that a function does nothing but one call of a sync.Pool's method, or make a pool.
type Thin struct {
	Does    string // Get, Put or New
	Pool    int    `json:",omitempty"` // the parameter that is the pool, leads to it or is what holds it; the receiver is 0
	Global  string `json:",omitempty"` // the variable of its package that is the pool, instead
	Value   int    `json:",omitempty"` // the parameter that is put, or the function that makes the pool's values
	NilSafe bool   `json:",omitempty"` // nil is not put
	Bounded bool   `json:",omitempty"` // what is too large is not put
}

// maxThin bounds the blocks of such a function.
const maxThin = 8

// thinOf tells what a function of the package does, if that is one call of a pool's method.
func thinOf(fn *ssa.Function) *Thin {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > maxThin {
		return nil
	}
	if k := madeBy(fn); k >= 0 {
		return &Thin{Does: "New", Value: k}
	}
	var call *ssa.Call
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok || c.Call.IsInvoke() {
				continue
			}
			switch funcKey(calledMethod(c)) {
			case "sync.Pool.Put", "sync.Pool.Get":
				if call != nil || inLoop(b) {
					return nil
				}
				call = c
			}
		}
	}
	if call == nil {
		return nil
	}
	t := &Thin{Does: "Get"}
	if !t.reaches(fn, call.Call.Args[0]) {
		return nil
	}
	if len(call.Call.Args) == 2 {
		if t.Does = "Put"; !t.puts(fn, call) {
			return nil
		}
	} else if !thinGet(fn, call) {
		return nil
	}
	return t
}

// puts reports whether a function puts a parameter, unless that is nil or too large, and does nothing else.
func (t *Thin) puts(fn *ssa.Function, put *ssa.Call) bool {
	v, ok := unboxed(put.Call.Args[1]).(*ssa.Parameter)
	if !ok || fn.Signature.Results().Len() > 0 {
		return false
	}
	t.Value = slices.Index(fn.Params, v)
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Call:
			if i != put && !measuresWith(i, v) {
				return false
			}
		case *ssa.FieldAddr, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Convert, *ssa.Return, *ssa.Jump, *ssa.DebugRef:
		case *ssa.UnOp:
			if i.Op != token.MUL && i.Op != token.NOT {
				return false
			}
		case *ssa.BinOp:
			if i.X == v && isNilConst(i.Y) {
				t.NilSafe = true
			} else {
				t.Bounded = true
			}
		case *ssa.If:
		default:
			return false
		}
	}
	if t.Bounded && isSlice(v.Type()) {
		return false // what it holds may be of a size of its own
	}
	if len(fn.Blocks) > 1 && !t.NilSafe && !t.Bounded {
		return false // by something else
	}
	return true
}

// measuresWith reports whether a call asks for the size of a value.
func measuresWith(c *ssa.Call, v *ssa.Parameter) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" || b.Name() == "cap"
	}
	f := calledMethod(c)
	return f != nil && (f.Name() == "Cap" || f.Name() == "Len" || f.Name() == "Size") && len(c.Call.Args) == 1 && c.Call.Args[0] == v
}

// thinGet reports whether a function returns what a call takes from a pool, or else what it makes itself.
func thinGet(fn *ssa.Function, get *ssa.Call) bool {
	if fn.Signature.Results().Len() != 1 {
		return false
	}
	got := map[ssa.Value]bool{get: true}
	for i := range instrsOf(fn) {
		uses := false
		for _, op := range i.Operands(nil) {
			uses = uses || *op != nil && got[*op]
		}
		switch i := i.(type) {
		case *ssa.TypeAssert, *ssa.Extract, *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
			if uses {
				got[i.(ssa.Value)] = true
			}
		case *ssa.Call:
			if i != get && (uses || slices.ContainsFunc(i.Call.Args, func(v ssa.Value) bool { return pointery(v.Type()) && !isNilConst(v) })) {
				return false
			}
		case *ssa.UnOp:
			if i.Op != token.MUL && i.Op != token.NOT {
				return false
			}
		case *ssa.Store:
			if al, ok := i.Addr.(*ssa.Alloc); uses || !ok || al.Comment == "" {
				return false
			}
		case *ssa.BinOp:
			if uses && !isNilConst(i.Y) {
				return false
			}
		case *ssa.Return:
			if len(i.Results) != 1 {
				return false
			}
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Slice, *ssa.FieldAddr, *ssa.If, *ssa.Jump, *ssa.DebugRef:
			if _, isSlice := i.(*ssa.Slice); isSlice && uses {
				return false
			}
		default:
			return false
		}
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && got[r.Results[0]] {
			return true
		}
	}
	return false
}

// madeBy is the parameter of a constructor that makes the values of the one pool in what it returns, or -1.
func madeBy(fn *ssa.Function) int {
	if fn.Signature.Results().Len() != 1 {
		return -1
	}
	k := -1
	for i := range instrsOf(fn) {
		st, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || !isSyncPool(fa.X.Type()) {
			continue
		}
		if k >= 0 {
			return -1
		}
		switch v := st.Val.(type) {
		case *ssa.Parameter:
			k = slices.Index(fn.Params, v)
		case *ssa.MakeClosure:
			k = callsOnly(fn, v)
		}
		if k < 0 {
			return -1
		}
	}
	return k
}

// exportMakers tells other packages of the constructors of pools, which are not followed as they touch none.
func (a *analysis) exportMakers() {
	for _, fn := range a.fns {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || len(fn.Blocks) == 0 || len(fn.Blocks) > maxThin || a.pass.ExportObjectFact == nil || a.inTest(fn) {
			continue
		}
		k := madeBy(fn)
		if k < 0 {
			continue
		}
		if s := new(Summary); !importSummary(a.pass, obj, s) {
			a.pass.ExportObjectFact(obj, &Summary{Thin: &Thin{Does: "New", Value: k}})
		}
	}
}

// callsOnly is the parameter of fn that a closure returns the result of, or -1.
func callsOnly(fn *ssa.Function, mc *ssa.MakeClosure) int {
	lit := mc.Fn.(*ssa.Function)
	if len(lit.Blocks) != 1 || len(mc.Bindings) != 1 {
		return -1
	}
	r, ok := lastInstr(lit.Blocks[0]).(*ssa.Return)
	if !ok || len(r.Results) != 1 {
		return -1
	}
	c, ok := unboxed(r.Results[0]).(*ssa.Call)
	if !ok {
		return -1
	}
	v := c.Call.Value
	if l, ok := v.(*ssa.UnOp); ok {
		v = l.X
	}
	if v != ssa.Value(lit.FreeVars[0]) {
		return -1
	}
	switch b := mc.Bindings[0].(type) {
	case *ssa.Parameter:
		return slices.Index(fn.Params, b)
	case *ssa.Alloc: // a parameter that a closure has
		for _, ref := range referrers(b) {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == b {
				if p, ok := st.Val.(*ssa.Parameter); ok {
					return slices.Index(fn.Params, p)
				}
			}
		}
	}
	return -1
}

// makerOf is the function that makes the values of the pool which a call of a constructor gives.
func (a *analysis) makerOf(v ssa.Value) ssa.Value {
	c, ok := v.(*ssa.Call)
	if !ok || c.Call.IsInvoke() {
		return nil
	}
	t := (*Thin)(nil)
	if fn := a.calledFunction(c); fn != nil {
		if k := madeBy(fn); k >= 0 && len(fn.Blocks) <= maxThin {
			t = &Thin{Does: "New", Value: k}
		}
	} else if f := calledMethod(c); f != nil {
		if sum := a.summaryOf(f); sum != nil {
			t = sum.Thin
		}
	}
	if t == nil || t.Does != "New" || t.Value >= len(c.Call.Args) {
		return nil
	}
	return c.Call.Args[t.Value]
}

// reaches finds how a function reaches a pool: by a parameter or a variable, through structs that have no
// other pool.
func (t *Thin) reaches(fn *ssa.Function, v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Parameter:
			t.Pool = slices.Index(fn.Params, x)
			return t.Pool >= 0
		case *ssa.Global:
			t.Global = x.Name()
			return x.Object() != nil && x.Pkg == fn.Pkg
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			s := structOf(x.X.Type())
			if s == nil {
				return false
			}
			n := 0
			for f := range s.Fields() {
				if !poolless(f.Type()) {
					n++
				}
			}
			if n > 1 {
				return false
			}
			v = x.X
		default:
			return false
		}
	}
}

// poolless reports whether a field is of a type that holds no pool: a number, a string or a function.
func poolless(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		return true
	}
	return false
}

// seeThrough replaces the calls that stand for calls of sync.Pool's methods.
func (a *analysis) seeThrough() {
	held := a.heldPools()
	for _, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		cc := c.Common()
		if cc.IsInvoke() {
			if len(held) == 0 {
				continue
			}
			t := held[a.staticPool(cc.Value)]
			if t == nil || !isPtr(t) {
				continue
			}
			if m := a.methodNamed(t, cc.Method); m != nil && (m.Synthetic == "" || len(m.Blocks) == 0) {
				cc.Args = append([]ssa.Value{cc.Value}, cc.Args...)
				cc.Value, cc.Method = m, nil
			} else {
				continue
			}
		}
		f := calledMethod(c)
		if f == nil || f.Pkg() == nil || f.Pkg() == a.pkg.Pkg {
			continue
		}
		sum := a.summaryOf(f)
		if sum == nil || sum.Thin == nil || sum.Thin.Does == "New" {
			continue
		}
		t := sum.Thin
		m := a.poolMethod(t.Does)
		if m == nil || t.Global == "" && t.Pool >= len(cc.Args) || t.Does == "Put" && t.Value >= len(cc.Args) {
			continue
		}
		var pool ssa.Value
		if t.Global != "" {
			pool = a.foreignVar(f.Pkg(), t.Global)
		} else {
			pool = cc.Args[t.Pool]
		}
		args := []ssa.Value{pool}
		if t.Does == "Put" {
			args = append(args, cc.Args[t.Value])
		}
		cc.Value, cc.Args = m, args
		a.through[i] = t
	}
}

// foreignVar stands for a variable of another package that is a pool.
func (a *analysis) foreignVar(of *types.Package, name string) ssa.Value {
	if p := a.prog.ImportedPackage(of.Path()); p != nil {
		if g := p.Var(name); g != nil {
			return g
		}
	}
	key := of.Path() + "." + name
	g := a.foreignVars[key]
	if g == nil {
		// One that is not exported, of which nothing is known but the name.
		of = types.NewPackage(of.Path(), of.Name())
		of.Scope().Insert(types.NewVar(token.NoPos, of, name, a.poolMethod("Get").Signature.Recv().Type()))
		g = a.prog.CreatePackage(of, nil, nil, false).Var(name)
		a.foreignVars[key] = g
	}
	return g
}

// poolMethod is a method of *sync.Pool.
func (a *analysis) poolMethod(name string) *ssa.Function {
	p := a.prog.ImportedPackage("sync")
	if p == nil {
		return nil
	}
	obj, ok := p.Pkg.Scope().Lookup("Pool").(*types.TypeName)
	if !ok {
		return nil
	}
	sel := types.NewMethodSet(types.NewPointer(obj.Type())).Lookup(nil, name)
	if sel == nil {
		return nil
	}
	return a.prog.MethodValue(sel)
}

// heldPools are the variables and fields of the package that are of an interface type with the methods of
// a pool, and to which it assigns values of one type only.
func (a *analysis) heldPools() map[types.Object]types.Type {
	held := map[types.Object]types.Type{}
	of := func(addr ssa.Value) types.Object {
		var obj types.Object
		switch addr := addr.(type) {
		case *ssa.Global:
			obj = addr.Object()
		case *ssa.FieldAddr:
			if s := structOf(addr.X.Type()); s != nil {
				obj = s.Field(addr.Field).Origin()
			}
		}
		if obj == nil || obj.Exported() || obj.Pkg() != a.pkg.Pkg {
			return nil
		}
		it, ok := obj.Type().Underlying().(*types.Interface)
		if !ok || it.NumMethods() != 2 {
			return nil
		}
		if get, _, _ := poolMethods(it); get == nil {
			return nil
		}
		return obj
	}
	for _, i := range a.instrs() {
		for _, op := range i.Operands(nil) {
			if *op == nil {
				continue
			}
			obj := of(*op)
			if obj == nil {
				continue
			}
			switch i := i.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
			case *ssa.Store:
				mi, ok := i.Val.(*ssa.MakeInterface)
				if old, seen := held[obj]; !ok || i.Addr != *op || seen && (old == nil || !types.Identical(old, mi.X.Type())) {
					held[obj] = nil
				} else {
					held[obj] = mi.X.Type()
				}
			default:
				held[obj] = nil // its address goes elsewhere
			}
		}
	}
	return held
}
