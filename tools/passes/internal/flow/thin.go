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
// anything is followed, it is made a call of the pool's own method. So is a call through a
// variable of an interface type that only ever holds a *sync.Pool.

// A Thin says that a function does nothing but one call of a sync.Pool's method.
type Thin struct {
	Put   bool
	Pool  int // the parameter that is the pool, leads to it or is what holds it; the receiver is 0
	Value int `json:",omitempty"` // the parameter that is put
}

// thinOf tells what a function of the package does, if that is one call of a pool's method.
func thinOf(fn *ssa.Function) *Thin {
	if len(fn.Blocks) != 1 {
		return nil
	}
	var call *ssa.Call
	for _, i := range fn.Blocks[0].Instrs {
		switch i := i.(type) {
		case *ssa.Call:
			if call != nil {
				return nil
			}
			call = i
		case *ssa.FieldAddr, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Return, *ssa.DebugRef:
		case *ssa.UnOp:
			if i.Op != token.MUL {
				return nil
			}
		case *ssa.TypeAssert:
			if i.CommaOk {
				return nil
			}
		default:
			return nil
		}
	}
	if call == nil || call.Call.IsInvoke() || len(call.Call.Args) == 0 {
		return nil
	}
	t := &Thin{}
	switch funcKey(calledMethod(call)) {
	case "sync.Pool.Put":
		t.Put = true
	case "sync.Pool.Get":
	default:
		return nil
	}
	if t.Pool = poolParam(fn, call.Call.Args[0]); t.Pool < 0 {
		return nil
	}
	if t.Put {
		p, ok := unboxed(call.Call.Args[1]).(*ssa.Parameter)
		if !ok || fn.Signature.Results().Len() > 0 {
			return nil
		}
		t.Value = slices.Index(fn.Params, p)
		return t
	}
	ret, ok := lastInstr(fn.Blocks[0]).(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	v := unboxed(ret.Results[0])
	if ta, ok := v.(*ssa.TypeAssert); ok {
		v = unboxed(ta.X)
	}
	if v != ssa.Value(call) {
		return nil
	}
	return t
}

// poolParam is the number of the parameter by which a function reaches a pool: through structs that
// have no other pool.
func poolParam(fn *ssa.Function, v ssa.Value) int {
	for {
		switch x := v.(type) {
		case *ssa.Parameter:
			return slices.Index(fn.Params, x)
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			s := structOf(x.X.Type())
			if s == nil {
				return -1
			}
			n := 0
			for f := range s.Fields() {
				if !poolless(f.Type()) {
					n++
				}
			}
			if n > 1 {
				return -1
			}
			v = x.X
		default:
			return -1
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
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(ssa.CallInstruction)
				if !ok {
					continue
				}
				cc := c.Common()
				if cc.IsInvoke() {
					name := cc.Method.Name()
					if len(held) == 0 || name != "Get" && name != "Put" || !held[a.staticPool(cc.Value)] {
						continue
					}
					if m := a.poolMethod(name); m != nil {
						cc.Args = append([]ssa.Value{cc.Value}, cc.Args...)
						cc.Value, cc.Method = m, nil
					}
					continue
				}
				f := calledMethod(c)
				if f == nil || f.Pkg() == nil || f.Pkg() == a.pkg.Pkg {
					continue
				}
				sum := a.summaryOf(f)
				if sum == nil || sum.Thin == nil {
					continue
				}
				t := sum.Thin
				if t.Pool >= len(cc.Args) || t.Value >= len(cc.Args) {
					continue
				}
				if t.Put {
					if m := a.poolMethod("Put"); m != nil {
						cc.Value, cc.Args = m, []ssa.Value{cc.Args[t.Pool], cc.Args[t.Value]}
					}
				} else if m := a.poolMethod("Get"); m != nil {
					cc.Value, cc.Args = m, []ssa.Value{cc.Args[t.Pool]}
				}
			}
		}
	}
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
// a pool, and to which it assigns nothing but pools of package sync.
func (a *analysis) heldPools() map[types.Object]bool {
	held := map[types.Object]bool{}
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
		if !ok || it.NumMethods() != 2 || it.Method(0).Name() != "Get" || it.Method(1).Name() != "Put" {
			return nil
		}
		return obj
	}
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				for _, op := range i.Operands(nil) {
					if *op == nil {
						continue
					}
					obj := of(*op)
					if obj == nil {
						continue
					}
					only, seen := held[obj]
					switch i := i.(type) {
					case *ssa.DebugRef:
					case *ssa.UnOp:
					case *ssa.Store:
						mi, ok := i.Val.(*ssa.MakeInterface)
						held[obj] = ok && isSyncPool(mi.X.Type()) && i.Addr == *op && (only || !seen)
					default:
						held[obj] = false // its address goes elsewhere
					}
				}
			}
		}
	}
	return held
}
