// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What is left of a part of the input is counted down in a field, and the next part begins where that is zero. Who puts
// the object in the middle of a part leaves the rest of the count to the next user, whose first part it then takes the
// place of.

// runsDown is the store that begins a part, of a field that is otherwise only counted down; nil if the field is anything
// else, or what takes or puts the object sets it.
func (f *forgotten) runsDown(ff *fieldFacts, t *types.Named, region []*ssa.Function) (begin ssa.Instruction) {
	if b, ok := ff.field.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return nil
	}
	arms := f.arms(ff)
	down := false
	for _, s := range ff.stores {
		if slices.Contains(region, s.instr.Parent()) {
			return nil
		}
		switch {
		case takesFrom(s.instr, ff.field):
			down = true
		case s.what == wOther && guardOf(arms, s) != nil:
			if begin == nil {
				begin = s.instr
			}
		default:
			return nil
		}
	}
	if !down || !slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == t && !f.knownZero(arms, p.instr, 0) }) {
		return nil
	}
	return begin
}

// takesFrom reports whether a store takes something from a number in a field.
func takesFrom(i ssa.Instruction, v *types.Var) bool {
	s, ok := i.(*ssa.Store)
	if !ok {
		return false
	}
	sub, ok := s.Val.(*ssa.BinOp)
	return ok && sub.Op == token.SUB && fieldOfValue(sub.X) == v
}

// knownZero reports whether an instruction runs only where the field was found to be zero.
func (f *forgotten) knownZero(arms []arm, i ssa.Instruction, depth int) bool {
	for _, a := range arms {
		if a.isZero && (a.to == i.Block() || a.to.Parent() == i.Parent() && a.to.Dominates(i.Block())) {
			return true
		}
	}
	calls := f.callers[i.Parent()]
	if depth > 2 || len(calls) == 0 || f.taken[i.Parent()] {
		return false
	}
	return !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool { return !f.knownZero(arms, c, depth+1) })
}
