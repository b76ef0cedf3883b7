// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Who makes a slice longer by one takes the element that is there already, if there is room, and
// appends a new one otherwise. Where the new one is zero, the old one is meant to be as well: what is
// then set in it where it applies has to be emptied, whatever else is set.

// zeroBeside reports whether the function that gave an element of a lengthened slice appends a zero
// one, of type t, where there is no room, or makes a slice of zero ones.
func (f *forgotten) zeroBeside(elem ssa.Value, t *types.Named) bool {
	fn := elem.Parent()
	if c, ok := elem.(*ssa.Call); ok {
		if callee := f.a.calledFunction(c); callee != nil && f.givesElement(c) {
			fn = callee
		}
	}
	if makesZero(fn, t) {
		return true
	}
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		if isGrow(c) {
			if l, ok := c.Type().Underlying().(*types.Slice); ok && pointee(types.NewPointer(l.Elem())) == t && (fieldSlice(c, 0) || f.givenList(c) != nil) {
				return true
			}
			continue
		}
		if bi, ok := c.Call.Value.(*ssa.Builtin); !ok || bi.Name() != "append" || len(c.Call.Args) != 2 || !fieldSlice(c.Call.Args[0], 0) && f.givenList(c.Call.Args[0]) == nil {
			continue
		}
		if x := onlyElement(c.Call.Args[1]); x != nil && isZeroOf(x, t) {
			return true
		}
	}
	return false
}

// onlyElement is the one value in the variable arguments of a call.
func onlyElement(v ssa.Value) ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	al, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var only ssa.Value
	for _, r := range referrers(al) {
		x, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, q := range referrers(x) {
			st, ok := q.(*ssa.Store)
			if !ok || st.Addr != x || only != nil {
				return nil
			}
			only = st.Val
		}
	}
	return only
}

// isZeroOf reports whether a value is the zero value of t, or a pointer to a new one.
func isZeroOf(v ssa.Value, t *types.Named) bool {
	n := pointee(v.Type())
	if n == nil {
		n, _ = types.Unalias(v.Type()).(*types.Named)
	}
	if n == nil || n.Origin() != t.Origin() {
		return false
	}
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil && pointee(v.Type()) == nil
	case *ssa.UnOp:
		al, ok := x.X.(*ssa.Alloc)
		return ok && x.Op == token.MUL && neverSet(al)
	case *ssa.Alloc:
		return neverSet(x)
	}
	return false
}

// neverSet reports whether nothing is stored in a variable or its fields.
func neverSet(al *ssa.Alloc) bool {
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return false
		case *ssa.Store:
			if r.Addr == al {
				return false
			}
		}
	}
	return true
}
