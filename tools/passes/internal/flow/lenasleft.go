// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// New makes a slice of length 0, and who takes one adds to its length what is to come: the length
// counts what is in use. A slice that was put as long as it was used has a wrong one.

// noteLenAsked sees the length of a slice added to, when the slice is as it came from the pool.
func (a *analysis) noteLenAsked(st *state, i ssa.Instruction, x *sym) {
	if x.kind != kToken || !isSlice(x.typ) || !ofSync(x.pool) || st.content[x] != fromPool || !a.newGivesEmpty(x.pool) {
		return
	}
	c, ok := i.(*ssa.Call)
	if ok && slices.ContainsFunc(referrers(c), func(r ssa.Instruction) bool {
		o, ok := r.(*ssa.BinOp)
		return ok && o.Op == token.ADD
	}) {
		a.noteGet(st, i, x, "asked for its length")
	}
}

// newGivesEmpty reports whether all that makes a pool's values makes slices of length 0.
func (a *analysis) newGivesEmpty(p *pool) bool {
	news := a.news[p.key]
	for _, fn := range news {
		for _, b := range fn.Blocks {
			r, ok := lastInstr(b).(*ssa.Return)
			if !ok {
				continue
			}
			if len(r.Results) != 1 || !lengthZero(unboxed(r.Results[0])) {
				return false
			}
		}
	}
	return len(news) > 0
}

// lengthZero reports whether a slice is made with length 0.
func lengthZero(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		n, ok := v.Len.(*ssa.Const)
		return ok && n.Value != nil && isZero(n.Value)
	case *ssa.Slice:
		return emptyCut(v)
	}
	return false
}

// putAsUsed reports whether a slice that is put was read from a field that the package appends to, or lengthens, and never cuts.
func (a *analysis) putAsUsed(x *sym) bool {
	if x.kind != kLoad || x.a.kind != kField {
		return false
	}
	v, ok := x.a.obj.(*types.Var)
	if !ok || v.Exported() || !isSlice(v.Type()) {
		return false
	}
	if yes, known := a.uncutFields[v]; known {
		return yes
	}
	longer := false
	ff := a.uses().facts[v]
	cut := ff == nil || a.addressLeaves(v) || slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
		st, ok := s.instr.(*ssa.Store)
		if !ok {
			return true
		}
		switch val := st.Val.(type) {
		case *ssa.Slice:
			o, ok := val.High.(*ssa.BinOp)
			if !ok || val.Low != nil || o.Op != token.ADD {
				return true
			}
			longer = true
		case *ssa.Call:
			longer = longer || isBuiltin(val, "append")
		case *ssa.Phi:
			return true
		}
		return false
	})
	if a.uncutFields == nil {
		a.uncutFields = map[*types.Var]bool{}
	}
	a.uncutFields[v] = longer && !cut
	return longer && !cut
}
