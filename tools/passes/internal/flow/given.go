// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
)

// A writer from a pool may work in its user's memory: each user sets a field to
// memory of its own first, and takes it out last. That the field still leads
// there when the writer goes to the pool lets nobody else at that memory, as
// long as every user begins so.

// givenField is the field of a pooled value at an address, if it holds a slice or map.
func givenField(addr *sym) (f poolField, ok bool) {
	if addr.kind != kField || addr.a.kind != kToken || !ofSync(addr.a.pool) {
		return f, false
	}
	v, ok := addr.obj.(*types.Var)
	if !ok || !owned(v.Type()) {
		return f, false
	}
	return poolField{addr.a.pool, v}, true
}

// noteGiven sees v stored at an address.
func (a *analysis) noteGiven(st *state, addr, v *sym) {
	if _, ok := givenField(addr); ok && !leadsTo(v, addr.a, 0) {
		set(&st.given, addr, true)
	}
}

// noteTaken sees v, which was read from memory.
func (a *analysis) noteTaken(st *state, v *sym) {
	if v.kind != kLoad || v.idx != 0 {
		return // or a callee that was not followed may have set it
	}
	if f, ok := givenField(v.a); ok && !st.given[v.a] && !st.gone[v.a.a] {
		a.fields0.asCame[f] = true
	}
}

// notGiven looks, at the end of a path, for fields of pooled values that it did not set.
func (a *analysis) notGiven(e exit) {
	st := e.st
	private := a.fields0.internal[a.root] && !exportedRoot(a.root) && a.root.Parent() == nil
	for _, t := range st.toks {
		if private && slices.ContainsFunc(e.results, func(r *sym) bool { return plain(r) == t }) {
			continue // whoever calls sets it, or not
		}
		if t.typ == nil || !ofSync(t.pool) || st.gone[t] {
			continue
		}
		s := structOf(t.typ)
		if s == nil {
			continue
		}
		for i := range s.NumFields() {
			addr := a.syms.field(t, s, i)
			if f, ok := givenField(addr); ok && !st.given[addr] && st.epochOf(addr) == 0 {
				a.fields0.asCame[f] = true
			}
		}
	}
}

// lentIn is the field of a pooled value in which the path put memory from
// elsewhere, and through which x was found.
func lentIn(st *state, x *sym) poolField {
	for ; x != nil; x = x.a {
		switch x.kind {
		case kView, kAdv, kAppend, kIface, kElem:
		case kLoad:
			if f, ok := givenField(x.a); ok && st.given[x.a] {
				return f
			}
			return poolField{}
		default:
			return poolField{}
		}
	}
	return poolField{}
}
