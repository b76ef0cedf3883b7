// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A method of a slice type, or a function that is given a pointer to a slice, lengthens the
// field that its callers pass like one that names the field.

// givenSlice is the parameter through which a slice is read whose callers pass the address of
// a field.
func (f *forgotten) givenSlice(v ssa.Value) *ssa.Parameter {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL || !isSlice(l.Type()) {
		return nil
	}
	p, ok := l.X.(*ssa.Parameter)
	if !ok {
		return nil
	}
	k := slices.Index(p.Parent().Params, p)
	for _, c := range f.callers[p.Parent()] {
		if c.Common().IsInvoke() || k >= len(c.Common().Args) {
			continue
		}
		if _, ok := c.Common().Args[k].(*ssa.FieldAddr); ok {
			return p
		}
	}
	return nil
}

// givenList is the parameter that a slice is, given at its value by a caller who has it from a field and
// sets the field to what the function returns. The function looks at what there is room for.
func (f *forgotten) givenList(v ssa.Value) *ssa.Parameter {
	grown := false
	if c, ok := v.(*ssa.Call); ok && isGrow(c) {
		v, grown = c.Call.Args[0], true
	}
	if phi, ok := v.(*ssa.Phi); ok {
		// In a loop that makes it longer.
		if k := slices.IndexFunc(phi.Edges, func(e ssa.Value) bool { _, ok := e.(*ssa.Parameter); return ok }); k >= 0 {
			v = phi.Edges[k]
		}
	}
	p, ok := v.(*ssa.Parameter)
	if !ok || !isSlice(p.Type()) || !grown && !looksAtRoom(p) {
		return nil
	}
	k := slices.Index(p.Parent().Params, p)
	for _, c := range f.callers[p.Parent()] {
		call, ok := c.(*ssa.Call)
		if !ok || call.Call.IsInvoke() || k >= len(call.Call.Args) {
			continue
		}
		fa := heldIn(call.Call.Args[k])
		if fa != nil && slices.ContainsFunc(referrers(call), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			return ok && st.Val == call && fieldAt(st.Addr) == fieldAt(fa)
		}) {
			return p
		}
	}
	return nil
}

// looksAtRoom reports whether a function asks for the capacity of a slice that it was given.
func looksAtRoom(p *ssa.Parameter) bool {
	for i := range instrsOf(p.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || sizeCall(c) != "cap" {
			continue
		}
		v := c.Call.Args[0]
		if phi, ok := v.(*ssa.Phi); ok && slices.Contains(phi.Edges, ssa.Value(p)) {
			return true
		}
		if v == p {
			return true
		}
	}
	return false
}

// isGrow reports whether a call makes room behind a slice.
func isGrow(c *ssa.Call) bool {
	m := calledMethod(c)
	return m != nil && funcKey(m) == "slices.Grow"
}

// heldIn is where the field lies that a slice was read from.
func heldIn(v ssa.Value) *ssa.FieldAddr {
	for range 4 {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			fa, _ := x.X.(*ssa.FieldAddr)
			return fa
		default:
			return nil
		}
	}
	return nil
}

// listFields are the fields that a slice may have been read from, by the callers of its function, too.
func (f *forgotten) listFields(v ssa.Value, depth int) (list []*ssa.FieldAddr) {
	if depth > 5 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Slice:
		return f.listFields(x.X, depth+1)
	case *ssa.ChangeType:
		return f.listFields(x.X, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			list = append(list, f.listFields(e, depth+2)...)
		}
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); isGrow(x) || ok && b.Name() == "append" {
			return f.listFields(x.Call.Args[0], depth+1)
		}
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			return []*ssa.FieldAddr{fa}
		}
		if p, ok := x.X.(*ssa.Parameter); ok {
			for _, arg := range f.argsFor(p) {
				if fa, ok := arg.(*ssa.FieldAddr); ok {
					list = append(list, fa)
				}
			}
		}
	case *ssa.Parameter:
		for _, arg := range f.argsFor(x) {
			list = append(list, f.listFields(arg, depth+2)...)
		}
	}
	return list
}

// argsFor are the values that the callers of a function in the package give for a parameter.
func (f *forgotten) argsFor(p *ssa.Parameter) (list []ssa.Value) {
	k := slices.Index(p.Parent().Params, p)
	for _, c := range f.callers[p.Parent()] {
		if k >= 0 && k < len(c.Common().Args) && !c.Common().IsInvoke() {
			list = append(list, c.Common().Args[k])
		}
	}
	return list
}

// cutThrough reports whether a function stores a lengthened slice through a parameter.
func (f *forgotten) cutThrough(p *ssa.Parameter) bool {
	return slices.ContainsFunc(referrers(p), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != p {
			return false
		}
		s, ok := st.Val.(*ssa.Slice)
		if !ok || s.High == nil {
			return false
		}
		if c, ok := s.High.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
			return false
		}
		return f.givenSlice(s.X) == p
	})
}

// makesZero reports whether a function makes slices of a struct, whose elements are zero, in place of
// one that it lengthens.
func makesZero(fn *ssa.Function, t *types.Named) bool {
	for i := range instrsOf(fn) {
		m, ok := i.(*ssa.MakeSlice)
		if !ok {
			continue
		}
		if c, ok := m.Len.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
			continue
		}
		n, _ := types.Unalias(m.Type().Underlying().(*types.Slice).Elem()).(*types.Named)
		if n != nil && n.Origin() == t.Origin() {
			return true
		}
	}
	return false
}
