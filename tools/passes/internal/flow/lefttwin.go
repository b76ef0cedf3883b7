// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A method notes what happened in one of two fields, by the mode: in the first where it acts on it, in the second
// where it only remembers the first such thing. Where each use begins with the one set back, so must the
// other: the method asks whether something is in it, and keeps that, so that what the last user noted stands for what
// happens in this use. What is only set up once, a table or a buffer, is not made of what the method was called with,
// and has memory.

// leftTwin is the store that sets a field only where it is not set, to what another field, which is set back, gets
// otherwise.
func (f *forgotten) leftTwin(ff *fieldFacts, t *types.Named, region []*ssa.Function) ssa.Instruction {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || ff.of != s && !types.Identical(ff.of, s) || !f.isRecord(ff.field.Type()) || len(ff.stores) == 0 {
		return nil
	}
	arms := f.arms(ff)
	for _, x := range ff.stores {
		if x.what != wFresh && x.what != wOther || x.more || x.cas || guardOf(arms, x) == nil || slices.Contains(region, x.instr.Parent()) {
			return nil
		}
	}
	if !slices.ContainsFunc(ff.reads, func(r ssa.Instruction) bool { return !slices.Contains(f.writes[r.Parent()], ff.field) }) {
		return nil
	}
	for _, x := range ff.stores {
		if f.hasTwin(ff, x, s, region) {
			return x.instr
		}
	}
	return nil
}

// hasTwin reports whether another field, which the region sets back, is set to the like where a store is not reached.
func (f *forgotten) hasTwin(ff *fieldFacts, x fieldStore, s *types.Struct, region []*ssa.Function) bool {
	st, ok := x.instr.(*ssa.Store)
	if !ok || !ofInput(st.Val) {
		return false
	}
	for w := range s.Fields() {
		w = w.Origin()
		o := f.facts[w]
		if w == ff.field || o == nil || o.open || !types.Identical(w.Type(), ff.field.Type()) || !f.isReset(w, region) {
			continue
		}
		if slices.ContainsFunc(o.stores, func(y fieldStore) bool {
			other, ok := y.instr.(*ssa.Store)
			return ok && other.Parent() == st.Parent() && oneBase(other.Addr, st.Addr) && ofInput(other.Val) && !mayFollow(other, st) && !mayFollow(st, other)
		}) {
			return true
		}
	}
	return false
}

// oneBase reports whether two addresses are fields of one struct.
func oneBase(x, y ssa.Value) bool {
	fx, ok1 := x.(*ssa.FieldAddr)
	fy, ok2 := y.(*ssa.FieldAddr)
	return ok1 && ok2 && (fx.X == fy.X || sameRead(fx.X, fy.X))
}

// ofInput reports whether a value is, or is made of, what its function was called with, beside the receiver.
func ofInput(v ssa.Value) bool {
	input := func(x ssa.Value) bool {
		p, ok := x.(*ssa.Parameter)
		return ok && (p.Parent().Signature.Recv() == nil || p != p.Parent().Params[0])
	}
	return leadsFrom(v, 0, func(x ssa.Value) bool {
		al, ok := x.(*ssa.Alloc)
		return input(x) || ok && storedParts(al, func(y ssa.Value) bool { return leadsFrom(y, 3, input) })
	})
}

// isRecord reports whether a type is that of an error or a string, or points to a struct of the package that says
// something, and is neither changed when it was made nor has memory to be used again.
func (f *forgotten) isRecord(t types.Type) bool {
	if isError(t) || isString(t) {
		return true
	}
	n := pointee(t)
	if n == nil || n.Obj().Pkg() != f.a.pkg.Pkg {
		return false
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range s.Fields() {
		switch v.Type().Underlying().(type) {
		case *types.Basic, *types.Interface:
		case *types.Struct:
			if namedPkg(v.Type()) != "time" {
				return false
			}
		default:
			return false
		}
		if ff := f.facts[v.Origin()]; ff != nil && (ff.open || len(ff.stores) > 0) {
			return false
		}
	}
	return s.NumFields() > 0
}
