// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A range over an array looks at a copy of it, whose elements are those that the array had. A
// range over what was written down element by element comes to one after the other.

// wholeArray is what reading an array with pointers gives: its elements are known by its address.
func (a *analysis) wholeArray(st *state, addr *sym, typ types.Type) *sym {
	if _, ok := typ.Underlying().(*types.Array); !ok || !hasPointers(typ) || st.mem[addr] != nil {
		return nil
	}
	return a.syms.load(addr, st.epochOf(addr), typ)
}

// ofArray is where an array that was read as a whole has its elements, if that was made on the path, and any
// other value as it is.
func ofArray(x *sym) *sym {
	if x.kind != kLoad || x.a.kind != kAlloc || x.typ == nil {
		return x
	}
	if _, ok := x.typ.Underlying().(*types.Array); !ok {
		return x
	}
	return x.a
}

// indexed is an element of an array that was read as a whole.
func (a *analysis) indexed(st *state, i *ssa.Index) *sym {
	x := a.val(st, i.X)
	if _, ok := i.X.Type().Underlying().(*types.Array); !ok || x.kind != kLoad || !hasPointers(i.Type()) {
		return a.opaque(st, i, 0, i.Type())
	}
	addr := a.syms.elem(a.elemBase(st, x.a), a.val(st, i.Index), nil)
	a.visitWritten(st, i.Block(), addr)
	return a.read(st, addr, i.Type())
}

// visitWritten makes the element that a round of a loop over a local array looks at the one
// that was stored at its place.
func (a *analysis) visitWritten(st *state, b *ssa.BasicBlock, addr *sym) {
	if addr.a.kind != kAlloc || addr.b.kind == kConst || b.Comment != "rangeindex.body" || st.mem[addr] != nil {
		return
	}
	at := a.syms.elem(addr.a, a.syms.constant(constInt(int(st.f.visits[b.Index])-1), types.Typ[types.Int]), nil)
	if v := st.mem[at]; v != nil {
		st.mem[addr] = v
	}
}
