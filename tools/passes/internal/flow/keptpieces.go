// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function may gather pointers into the memory of a pooled object, or slices of it, in a
// slice or map that it makes: the tokens that an arena lends, say, or the fields of a line. Which
// of them is at an index is not known, and need not be where the object went to the pool since: all are
// in its memory.

// keptPiece is what is found at some index of a container that was made on the path, where all that
// went into it is memory within objects that are in a pool by now: one of the pieces. Otherwise nil.
func (a *analysis) keptPiece(st *state, addr *sym, typ types.Type) *sym {
	if addr.kind != kElem || st.mem[addr] != nil || !hasPointers(typ) || isString(typ) {
		return nil
	}
	all := addr.a
	for all.kind == kAdv || all.kind == kView {
		all = all.a
	}
	return a.onlyPieces(st, all)
}

// onlyPieces is one of the values in a container, where all are such pieces.
func (a *analysis) onlyPieces(st *state, all *sym) *sym {
	if len(st.rel) == 0 {
		return nil
	}
	for x := all; ; x = x.a {
		if x.kind == kView {
			x = memory(x)
		}
		if x.kind != kAppend && x.kind != kAlloc || varargs(x) || x.typ == nil || !namesContent(x) {
			return nil
		}
		if x.kind == kAlloc {
			break
		}
	}
	var found *sym
	for k, v := range st.mem {
		e := slot(k)
		if e == nil || e.a != all {
			continue
		}
		if e != k {
			return nil // a struct, by value
		}
		switch v = plain(v); v.kind {
		case kField, kElem, kView, kAdv:
		default:
			return nil
		}
		r := a.released(st, v)
		if r == nil || r.async || st.rel[v] != nil || r.value == nil {
			return nil
		}
		whole := r.value
		if whole.kind == kView && whole.idx == 1 {
			whole = whole.a
		}
		if v == whole || !passes(v, whole) {
			return nil // pieces may be put one by one
		}
		if found == nil || v.id < found.id {
			found = v
		}
	}
	return found
}

// namesContent reports whether what made a container wrote down the values that it gave it, if any.
func namesContent(x *sym) bool {
	switch i := x.obj.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Call:
		if b, ok := i.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(i.Call.Args) != 2 || isCapped(i.Call.Args[0]) {
			return false
		}
		s, ok := i.Call.Args[1].(*ssa.Slice)
		if !ok {
			return false
		}
		_, ok = s.X.(*ssa.Alloc)
		return ok
	}
	return false
}

// ofNone reports whether an address is that of an element of x[:0], which has none.
func (a *analysis) ofNone(st *state, addr ssa.Value) bool {
	i, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	x := a.val(st, i.X)
	return x.kind == kView && x.idx == 1
}
