// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A struct may note in a field how large its buffer has become, or is at most: who
// compares that field asks for the size.

// limitsNoted reports whether a comparison asks if such a field is above or below something
// else than a field of the same struct.
func (a *analysis) limitsNoted(b *ssa.BinOp) bool {
	if b.Op == token.EQL || b.Op == token.NEQ {
		return false
	}
	one := func(x, other ssa.Value) bool {
		f, base := fieldLoad(x)
		if f == nil || !a.holdsSize(f) {
			return false
		}
		_, same := fieldLoad(other)
		return same == nil || !types.Identical(same.Type(), base.Type())
	}
	return one(b.X, b.Y) || one(b.Y, b.X)
}

// holdsSize reports whether an integer field is set to the size of some memory: a length or
// capacity, or a number that memory is made or cut with.
func (a *analysis) holdsSize(v *types.Var) bool {
	if v == nil || !isInteger(v.Type()) {
		return false
	}
	ff := a.uses().facts[v]
	if ff == nil {
		return false
	}
	for _, s := range ff.stores {
		if st, ok := s.instr.(*ssa.Store); ok && measures(st.Val, v, 0) {
			return true
		}
	}
	return false
}

// measures reports whether a value is a size, or the larger of one and what field v has.
func measures(x ssa.Value, v *types.Var, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := x.(type) {
	case *ssa.Convert:
		return measures(x.X, v, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if fieldRead(e) != v && measures(e, v, depth+2) {
				return true
			}
		}
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if !ok {
			break
		}
		switch b.Name() {
		case "len", "cap":
			_, isStr := x.Call.Args[0].Type().Underlying().(*types.Basic)
			return !isStr
		case "max":
			for _, e := range x.Call.Args {
				if fieldRead(e) != v && measures(e, v, depth+1) {
					return true
				}
			}
		}
	}
	return sizes(x)
}

// sizes reports whether memory is made with a number as its length or capacity, or grown to it.
func sizes(x ssa.Value) bool {
	if _, isConst := x.(*ssa.Const); isConst || x.Referrers() == nil {
		return false
	}
	for _, r := range referrers(x) {
		switch r := r.(type) {
		case *ssa.MakeSlice:
			if r.Len == x || r.Cap == x {
				return true
			}
		case *ssa.Convert:
			if isInteger(r.Type()) && sizes(r) {
				return true
			}
		}
	}
	return false
}
