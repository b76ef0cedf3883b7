// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A loop that goes over a slice and sets each element, or a field of each, to a copy of it for instance, leaves nothing there of what
// the elements led to before.

// noteReplaced sees a store: where each round of a loop over a slice sets the element, or a field of it, the others are
// taken to be set with the first. Pooled values themselves are not: each round has one to put.
func (a *analysis) noteReplaced(st *state, i *ssa.Store, addr *sym) {
	at := slot(addr)
	if at == nil || !replacesEach(i) {
		return
	}
	for base := at.a; base != nil; base = base.a {
		a.forgetFields(st, base, at, addr, i)
		for k := range st.mem {
			if e := slot(k); e != nil && e.a == base && e != at && plain(st.mem[k]).kind != kToken && sameFieldPath(k, addr) {
				delete(st.mem, k)
			}
		}
		if base.kind != kAppend && base.kind != kView {
			return
		}
	}
}

// forgetFields forgets what fields of the elements of a slice had when those were appended, of which only the type is
// known then: a loop that sets one field of that type sets all.
func (a *analysis) forgetFields(st *state, base, at, addr *sym, i *ssa.Store) {
	fa, ok := i.Addr.(*ssa.FieldAddr)
	if !ok || addr.a != at || !setsAllOfType(fa, i.Val.Type()) {
		return
	}
	for k, v := range st.mem {
		if k.kind == kElem && k.a == base && k != at && v.kind != kToken && v.typ != nil && types.Identical(v.typ, i.Val.Type()) {
			delete(st.mem, k)
		}
	}
}

// setsAllOfType reports whether a block that sets a field of an element sets all its fields of that type.
func setsAllOfType(fa *ssa.FieldAddr, t types.Type) bool {
	u := structOf(fa.X.Type())
	ia, ok := fa.X.(*ssa.IndexAddr)
	if u == nil || !ok {
		return false
	}
	set := map[int]bool{}
	for _, i := range fa.Block().Instrs {
		s, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		if f, ok := s.Addr.(*ssa.FieldAddr); ok {
			if x, ok := f.X.(*ssa.IndexAddr); ok && x.X == ia.X && x.Index == ia.Index {
				set[f.Field] = true
			}
		}
	}
	for n := range u.NumFields() {
		if types.Identical(u.Field(n).Type(), t) && !set[n] {
			return false
		}
	}
	return true
}

// sameFieldPath reports whether an address lies within the same part of an element as another one does of another.
func sameFieldPath(k, part *sym) bool {
	depth := func(x *sym) (n int) {
		for ; x.kind == kField; x = x.a {
			n++
		}
		return n
	}
	for n := depth(k) - depth(part); n > 0; n-- {
		k = k.a
	}
	for k.kind == kField && part.kind == kField && k.idx == part.idx {
		k, part = k.a, part.a
	}
	return k.kind == kElem && part.kind == kElem
}

// replacesEach reports whether a store is of the element that a loop over a slice looks at, in each of its rounds.
func replacesEach(i *ssa.Store) bool {
	at := i.Addr
	for {
		fa, ok := at.(*ssa.FieldAddr)
		if !ok {
			break
		}
		at = fa.X
	}
	ia, ok := at.(*ssa.IndexAddr)
	if !ok || !isSlice(ia.X.Type()) {
		return false
	}
	n, ok := ia.Index.(*ssa.BinOp)
	if !ok || n.Op != token.ADD || n.Block().Comment != "rangeindex.loop" {
		return false
	}
	head := n.Block()
	t, ok := lastInstr(head).(*ssa.If)
	if !ok {
		return false
	}
	c, ok := t.Cond.(*ssa.BinOp)
	if !ok || c.X != ssa.Value(n) {
		return false
	}
	l, ok := c.Y.(*ssa.Call)
	if !ok || !isBuiltin(l, "len") || l.Call.Args[0] != ia.X {
		return false
	}
	for _, p := range head.Preds {
		if head.Dominates(p) && !i.Block().Dominates(p) {
			return false
		}
	}
	return true
}
