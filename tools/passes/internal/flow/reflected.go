// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What package reflect sets in a variable of the function's own is there like what is assigned: a decoder finds the field by
// its name or number, or by a name that it is given. Of what was not made on the path, too little is known to say so.

// A placed is where the thing is that a reflect.Value stands for.
type placed struct {
	addr *sym
	typ  types.Type // of what is there, nil if it is not known
}

// placedAt finds where the thing is that a value of package reflect stands for.
func placedAt(v *sym) (placed, bool) {
	p, ok := v.obj.(placed)
	return p, ok && v.kind == kHold
}

// place notes where the thing is that h, a reflect.Value, stands for, which a function of package reflect gave.
func (a *analysis) place(f *types.Func, h *sym, args []*sym) {
	switch a.named(f).key {
	case "reflect.Value.Elem", "reflect.Indirect":
		v := plain(args[0])
		if v.kind == kView && types.TypeString(v.typ, nil) == "reflect.Value" {
			v = plain(v.a)
		}
		if v.kind == kAlloc || v.kind == kParam || v.kind == kHold && v.obj == any(newValue{}) {
			h.obj = placed{v, thingAt(v.typ)}
		}
	case "reflect.Value.Field", "reflect.Value.Index", "reflect.Value.FieldByName", "reflect.Value.FieldByIndex":
		p, ok := placedAt(plain(args[0]))
		if !ok {
			return
		}
		if s := structOf(p.typ); s != nil && len(args) > 1 && args[1].kind == kConst && args[1].val != nil {
			for n := range s.NumFields() {
				if k, isInt := constant.Int64Val(constant.ToInt(args[1].val)); isInt && int(k) == n || args[1].val.Kind() == constant.String && constant.StringVal(args[1].val) == s.Field(n).Name() {
					h.obj = placed{a.syms.field(p.addr, s, n), s.Field(n).Type()}
					return
				}
			}
		}
		h.obj = placed{a.syms.cell(p.addr), nil}
	case "reflect.New":
		h.obj = newValue{}
	}
}

// A newValue is what reflect.New gives.
type newValue struct{}

// setByReflection sees Set or its like called of a value of package reflect. It is false where it is not known what that
// stands for.
func (a *analysis) setByReflection(st *state, i ssa.CallInstruction, args []*sym) bool {
	p, ok := placedAt(plain(args[0]))
	if !ok {
		return false
	}
	x := a.syms.fresh(kOpaque, p.typ) // zero, or a copy of something
	if len(args) > 1 {
		switch v := args[1]; {
		case v.typ == nil || types.TypeString(v.typ, nil) != "reflect.Value":
			x = v
		case v.kind == kView && sharesThing(plain(v.a).typ):
			x = v.a // what reflect.ValueOf was given
		}
	}
	if p.addr.kind == kField && p.addr.idx == cellField {
		// One place stands for all of which it is not known where they are: what one of them has may be there when
		// another is set to something else.
		pooled := false
		a.reach(st, x, func(y *sym) bool {
			pooled = pooled || y.kind == kToken
			return !pooled
		})
		if !pooled {
			if x.kind == kNil || x.kind == kOpaque {
				delete(st.mem, p.addr)
			}
			return true
		}
	}
	a.write(st, p.addr, x)
	a.noteStore(st, i, p.addr, x)
	return true
}

// sharesThing reports whether a copy of a value of a type leads to the same memory.
func sharesThing(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Pointer, *types.Map:
		return true
	}
	return false
}

// thingAt is the type of what a pointer points to, nil if it is no pointer.
func thingAt(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// heldByReflection finds memory that is in a pool and was set by reflection in an object that is given to code that is
// chosen at run time, where it is not known in which of its fields.
func (a *analysis) heldByReflection(st *state, target callee, x *sym, n int) *release {
	if len(st.rel) == 0 || !target.dynamic && !(target.iface && n > 0) {
		return nil
	}
	for x = plain(x); x.kind == kView; x = plain(x.a) {
	}
	if x.kind != kAlloc && x.kind != kHold {
		return nil
	}
	v := st.mem[a.syms.cell(x)]
	if x.kind == kHold && v == nil {
		if p, ok := placedAt(x); ok {
			v = st.mem[a.syms.cell(p.addr)]
		}
	}
	if v == nil || !isContent(v) && (v.typ == nil || !isPtr(v.typ)) {
		return nil
	}
	if r := a.released(st, v); r != nil && !r.byField && !r.async && !r.closed && !r.deferred {
		return r
	}
	return nil
}
