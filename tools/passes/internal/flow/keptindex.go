// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An object that fills a buffer from a pool, and keeps parts of it in a map of its own, has to
// take them out of the map when another of its methods puts the buffer to begin a new one.

// playKept runs the methods that may follow one which left, in a map that is only added to, part
// of what a pointer in a field leads to.
func (a *analysis) playKept(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	var kept []*sym
	for _, k := range sortedKeys(e.st.mem) {
		if k.kind == kElem && k.base() == recv && a.staysIn(memory(k.a)) && partOfField(e.st.mem[k], recv) && a.released(e.st, e.st.mem[k]) == nil {
			kept = append(kept, k)
		}
	}
	if len(kept) == 0 || recv.typ == nil {
		return false
	}
	tried := 0
	for sel := range types.NewMethodSet(recv.typ).Methods() {
		m := a.prog.MethodValue(sel)
		if m == nil || m.Pkg != a.pkg || len(m.Blocks) == 0 || !a.relevant[m] || ends(m.Name()) || tried >= maxMethods {
			continue
		}
		tried++
		play(func() {
			s := e.st.clone()
			s.f = nil
			args := []*sym{recv}
			for _, p := range m.Params[1:] {
				args = append(args, a.syms.fresh(kOpaque, p.Type()))
			}
			for _, x := range a.exec(s, m, args, nil, nil) {
				for _, k := range kept {
					v := e.st.mem[k]
					if x.st.mem[k] != v {
						continue
					}
					if r := a.released(x.st, v); r != nil && !a.takenFrom(x, k) {
						a.reportStore(x.st, k, v, r)
					}
				}
			}
		})
	}
	return tried > 0
}

// partOfField reports whether a value is part of the memory that a pointer in a field of an
// object leads to.
func partOfField(v, obj *sym) bool {
	switch v.kind {
	case kView, kAdv:
	default:
		return false
	}
	for x := v.a; x != nil; x = x.a {
		switch x.kind {
		case kView, kAdv, kField, kElem:
		case kLoad:
			if x.typ == nil {
				return false
			}
			if _, isPtr := x.typ.Underlying().(*types.Pointer); isPtr {
				return x.a.kind == kField && x.base() == obj
			}
		default:
			return false
		}
	}
	return false
}
