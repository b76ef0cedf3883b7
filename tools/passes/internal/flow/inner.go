// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A pooled struct may hold its buffer by a pointer that was set when the struct
// was made, and only then: the buffer goes to the pool and comes back with it,
// and what is in it is judged like what is in a field.

// madeWith reports whether x is an object that a pooled value has a pointer to,
// that was made with the value, and that no other has taken the place of.
func (a *analysis) madeWith(x *sym) bool {
	if x.kind != kLoad || x.idx != 0 || x.a.kind != kField {
		return false
	}
	f, ok := x.a.obj.(*types.Var)
	return ok && a.shapes.own[f]
}

// noteInnerWrite sees a write to the buffer x that was made with the pooled value t.
func (a *analysis) noteInnerWrite(st *state, i ssa.Instruction, x, t *sym, grows bool) {
	if u, isMap := i.(*ssa.MapUpdate); isMap && x.kind == kLoad && (inLoop(i.Block()) || callsItself(i.Parent())) && !fewKeys(u.Key.Type()) && a.quiet == 0 {
		if f, _ := a.tokenField(x.a); f == t {
			a.grown(t, i, false)
		}
	}
	if !a.madeWith(x) {
		return
	}
	if u, ok := x.typ.Underlying().(*types.Pointer); !ok || !gathers(u.Elem()) {
		return
	}
	if grows && a.quiet == 0 && a.unboundedHere(st, i, t) {
		a.grown(t, i, false)
	}
	if st.content[x] == fromPool {
		a.noteFieldUse(st, i, x, "written to")
	}
	st.content[x] = isDirty
}

// fewKeys reports whether a map with keys of a type stays small.
func fewKeys(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.Uint8 || b.Kind() == types.Int8)
}

// callsItself reports whether a function is recursive, which is a loop of another form.
func callsItself(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok && c.Common().StaticCallee() == fn {
			return true
		}
	}
	return false
}

// gathers reports whether what is written to a value of the type stays in it.
func gathers(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "bytes.Buffer", "strings.Builder":
		return true
	}
	return false
}

// noteInnerLeft sees which buffers that were made with m have something in them
// when m is put.
func (a *analysis) noteInnerLeft(st *state, m *sym, p *pool, ev event) {
	for _, part := range st.filled {
		if t, f := a.tokenField(part); t == m && !setInside(st, part) {
			a.fieldLefts = append(a.fieldLefts, fieldEvent{poolField{p, f}, ev.pos(), m.stack[0], ""})
		}
	}
	for x, c := range st.content {
		if c == isArmed && x.kind == kLoad && x.a.kind == kField {
			if t, _ := a.tokenField(x.a); t == m {
				a.putEvents = append(a.putEvents, putSite{pool: p, ev: ev, state: isArmed, typ: x.typ, held: x.typ, tested: true, fn: a.root})
			}
		}
		if c != isDirty || !a.madeWith(x) {
			continue
		}
		if t, f := a.tokenField(x.a); t == m {
			a.fieldLefts = append(a.fieldLefts, fieldEvent{poolField{p, f}, ev.pos(), m.stack[0], ""})
		}
	}
}

// noteGrowth sees a slice stored in a pooled value: what it grew to stays with that.
func (a *analysis) noteGrowth(st *state, at ssa.Instruction, addr, v *sym) {
	if a.quiet > 0 {
		return
	}
	if m, ok := v.obj.(*ssa.MakeSlice); ok && v.kind == kAlloc {
		if t := pooledBuffer(addr); t != nil && addr.kind == kField && !isConst(m.Len) && !a.boundedNumber(m.Len) && (m.Parent() != st.f.fn || a.val(st, m.Len).kind != kConst) {
			a.grown(t, at, false)
		}
		return
	}
	if a.fedBackTo(v, addr) && growsByInput(v) {
		if t := pooledBuffer(addr); t != nil {
			a.grown(t, at, false)
		}
		return
	}
	top := v
	for ; v != nil && (v.kind == kAppend || v.kind == kView); v = v.a {
		i, ok := v.obj.(ssa.Instruction)
		if v.kind != kAppend || !ok || !unbounded(i) {
			continue
		}
		if t := pooledBuffer(addr); t != nil {
			a.grown(t, at, top.kind == kView && top.idx == 1)
		}
		return
	}
}

// noteNewBox sees a variable put by its address, or a box that another pool keeps while it is empty, with the slice that came
// from the pool in another one: what data that has grown to stays with the pool.
func (a *analysis) noteNewBox(st *state, box *sym, p *pool) {
	v := st.mem[box]
	if box.kind != kAlloc && (box.kind != kToken || box.pool == p) || v == nil || !isSlice(v.typ) || hasPointers(v.typ.Underlying().(*types.Slice).Elem()) {
		return
	}
	t := pooledBuffer(v)
	if t == nil || t.pool != p {
		return
	}
	for top := v; v.kind == kAppend || v.kind == kView; v = v.a {
		if i, ok := v.obj.(*ssa.Call); ok && v.kind == kAppend && (isBuiltin(i, "append") || i.Call.StaticCallee() != nil) && unbounded(i) {
			a.grown(t, i, top.kind == kView && top.idx == 1)
			return
		}
	}
}

// decodedInto sees a decoder fill x, which is no pooled value itself: a part of one, or
// a variable that holds a pooled map.
func (a *analysis) decodedInto(st *state, i ssa.Instruction, x *sym, typ types.Type) {
	switch x.kind {
	case kAlloc:
		v := st.mem[x]
		if v == nil || v.kind != kToken || v.typ == nil {
			return
		}
		if _, isMap := v.typ.Underlying().(*types.Map); isMap {
			a.touched(st, i, v, "decoded into")
		}
	case kField:
		t, f := a.tokenField(x)
		_, isStruct := deref(typ).Underlying().(*types.Struct)
		if t == nil || !isStruct || !ofSync(t.pool) && !(t.pool != nil && t.pool.isList()) || st.content[t] == isReset || a.quiet > 0 || setInside(st, x) {
			return
		}
		a.fieldUses = append(a.fieldUses, fieldEvent{poolField{t.pool, f}, instrPos(i), t.stack[len(t.stack)-1], "decoded into"})
		st.filled = append(slices.Clip(st.filled), x)
	}
}

// setInside reports whether a path wrote to a struct at an address, or to a part of it.
func setInside(st *state, addr *sym) bool {
	for k := range st.mem {
		if inside(k, addr) {
			return true
		}
	}
	return false
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}
