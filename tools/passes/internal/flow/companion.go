// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A struct with bytes and, in a field beside them, the one pooled buffer that it has: the bytes are in the buffer. Nobody in
// the package sets them to anything else, so that they are gone with it.

// companionReleased is the Put of the buffer beside a field with bytes that the path did not set.
func (a *analysis) companionReleased(st *state, x *sym) *release {
	if len(st.rel) == 0 || x.kind != kLoad || x.a.kind != kField || x.a.a == nil {
		return nil
	}
	f, ok := x.a.obj.(*types.Var)
	if !ok || !isBytes(f.Type()) {
		return nil
	}
	at, of := a.companion(f)
	if of == nil {
		return nil
	}
	addr := a.syms.field(x.a.a, of, at)
	buf := st.mem[addr]
	if buf == nil {
		buf = a.syms.load(addr, st.epochOf(addr), of.Field(at).Type())
	}
	return st.rel[buf]
}

// usesCompanion reports whether a goroutine uses the bytes beside a field with a pooled buffer.
func (a *analysis) usesCompanion(g *spawn, f *types.Var) bool {
	ff := a.uses().facts[f]
	if ff == nil || ff.of == nil || !a.isBuffer(f.Type()) {
		return false
	}
	for v := range ff.of.Fields() {
		if isBytes(v.Type()) && g.uses(v.Origin()) {
			at, of := a.companion(v.Origin())
			return of == ff.of && of.Field(at).Origin() == f
		}
	}
	return false
}

// companion is the number of the field with the pooled buffer beside a field with bytes, and the struct.
func (a *analysis) companion(f *types.Var) (int, *types.Struct) {
	c, ok := a.companions[f]
	if !ok {
		c = a.findCompanion(f)
		set(&a.companions, f, c)
	}
	return c.at, c.of
}

type companionField struct {
	at int
	of *types.Struct // nil if there is none
}

func (a *analysis) findCompanion(f *types.Var) companionField {
	none := companionField{}
	ff := a.uses().facts[f]
	if ff == nil || ff.of == nil || f.Pkg() != a.pkg.Pkg {
		return none
	}
	found := none
	for n := range ff.of.NumFields() {
		v := ff.of.Field(n)
		switch {
		case v.Origin() == f:
		case isBytes(v.Type()):
			return none
		case a.isBuffer(v.Type()):
			if found.of != nil {
				return none
			}
			found = companionField{n, ff.of}
		}
	}
	if found.of == nil || a.setOtherwise(f, structOf(found.of.Field(found.at).Type())) {
		return none
	}
	return found
}

// setOtherwise reports whether a field with bytes is set to any but those of a field of a struct.
func (a *analysis) setOtherwise(f *types.Var, buf *types.Struct) bool {
	if a.addressLeaves(f) {
		return true
	}
	for _, i := range a.instrs() {
		if s, ok := i.(*ssa.Store); ok && fieldAt(s.Addr) == f && !isNilConst(s.Val) && !bytesOf(s.Val, buf) {
			return true
		}
	}
	return false
}

// bytesOf reports whether a slice was cut from one in a field of a struct.
func bytesOf(v ssa.Value, s *types.Struct) bool {
	for {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.UnOp:
			fa, ok := x.X.(*ssa.FieldAddr)
			return ok && structOf(fa.X.Type()) == s
		default:
			return false
		}
	}
}

// isBuffer reports whether a type is a pointer to a struct of the package that has bytes, and methods that deal with pools.
func (a *analysis) isBuffer(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || !a.siblings[n.Origin().Obj()] {
		return false
	}
	s := structOf(n)
	if s == nil {
		return false
	}
	bytes := 0
	for k := range s.NumFields() {
		if isBytes(s.Field(k).Type()) {
			bytes++
		}
	}
	return bytes == 1
}
