// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A reset that overwrites the whole struct may keep a slice or map for its memory:
// *e = entry{fields: e.fields}. Unless it is cut or cleared, it is as full as it was.

// keptAsIs reports whether a store that sets a slice or map field, alone or with the whole
// struct, leaves in it what it had.
func keptAsIs(i ssa.Instruction, v *types.Var) bool {
	switch v.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return false
	}
	st, ok := i.(*ssa.Store)
	if !ok {
		return false
	}
	if fa, ok := st.Addr.(*ssa.FieldAddr); ok && fieldAt(fa) == v {
		return readsAsIs(st.Val, fa.X, v)
	}
	// The whole struct: the literal's fields are stored one by one, in a variable of
	// its own or, after the zero value, in their place.
	s := structOf(st.Addr.Type())
	if s == nil {
		return false
	}
	var in ssa.Value = st.Addr
	if l, ok := st.Val.(*ssa.UnOp); ok && l.Op == token.MUL {
		al, ok := l.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		in = al
	}
	if in.Referrers() == nil {
		return false
	}
	for _, r := range referrers(in) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != v {
			continue
		}
		for _, q := range referrers(fa) {
			set, ok := q.(*ssa.Store)
			if ok && set.Addr == fa && runTogether(set.Block(), st.Block()) && (in != st.Addr || precedes(st, set)) && readsAsIs(set.Val, st.Addr, v) {
				return true
			}
		}
	}
	return false
}

// readsAsIs reports whether a value is what field v of the object at base holds.
func readsAsIs(x, base ssa.Value, v *types.Var) bool {
	l, ok := x.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	fa, ok := l.X.(*ssa.FieldAddr)
	return ok && fieldAt(fa) == v && oneRead(fa.X, base, 0)
}
