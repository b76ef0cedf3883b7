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
