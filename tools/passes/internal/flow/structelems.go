// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// Structs are kept in slices by value as often as pointers are. Their fields are written one
// by one, and what a loop finds in the fields of the element that it comes to is what went
// into those of the one that the path wrote.

// visitStruct makes the fields of the first element that a loop looks at those of the one
// struct that was put in the container on the path.
func (a *analysis) visitStruct(st *state, addr *sym, elem types.Type) {
	u, ok := elem.Underlying().(*types.Struct)
	if !ok || u.NumFields() > 32 {
		return
	}
	var from *sym
	for k := range st.mem {
		e := slot(k)
		if k.kind != kField || e == nil || e.a != addr.a {
			continue
		}
		if e == addr || from != nil && from != e || e.b == nil || e.b.kind == kConst {
			return
		}
		from = e
	}
	if from == nil {
		return
	}
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kField && slot(k) == from {
			st.mem[a.rebased(k, from, addr)] = st.mem[k]
		}
	}
}

// rebased is the field of the struct at to that a field of the one at from is.
func (a *analysis) rebased(k, from, to *sym) *sym {
	if k == from {
		return to
	}
	base := a.rebased(k.a, from, to)
	f := a.syms.field(base, nil, k.idx)
	if f.obj == nil {
		f.obj, f.fixed = k.obj, k.fixed
	}
	return f
}

// appendedStructs records the fields of the one struct that was appended to what s is now.
func (a *analysis) appendedStructs(st *state, s, from *sym) {
	if !varargs(from) {
		return
	}
	var elem *sym
	for k := range st.mem {
		if e := slot(k); k.kind == kField && e != nil && e.a == from {
			if elem != nil && elem != e {
				return // several
			}
			elem = e
		}
	}
	if elem == nil {
		return
	}
	to := a.syms.elem(s, a.syms.fresh(kOpaque, types.Typ[types.Int]), nil)
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kField && slot(k) == elem {
			st.mem[a.rebased(k, elem, to)] = st.mem[k]
		}
	}
}
