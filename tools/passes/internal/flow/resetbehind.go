// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A reset may ask one field whether there is anything to do, and stop there when that is nil:
// if b.data == nil { return }. Where others set that field to nil in use, as they hand on what it
// holds, the reset skips all the rest, and what is only ever added to starts from what it was.

// judgeResetBehind reports fields that are emptied only where another one is not nil.
func (a *analysis) judgeResetBehind() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		if f.ofTwoKinds(t) {
			continue
		}
		collectFields(t, 0, func(v *types.Var, s *types.Struct) {
			ff := f.facts[v]
			if ff == nil || ff.open || a.toldOf[v] || !f.startsFromLast(ff) {
				return
			}
			for w := range s.Fields() {
				gf := f.facts[w.Origin()]
				if w.Origin() == v || gf == nil {
					continue
				}
				reset, gone := f.emptiedBehind(ff, gf, t)
				if reset == nil || f.assignedOnTake(ff.without(reset.Parent()), t) {
					continue
				}
				a.toldOf[v] = true
				a.reportFound(finding{
					pattern: missingReset, pos: instrPos(reset), fn: reset.Parent(),
					message: fmt.Sprintf("field %s of the pooled %s is emptied only where %s is not nil, which it may be by now (%s): the next user starts from what is left in it", v.Name(), t.Obj().Name(), w.Name(), a.line(instrPos(gone))),
					typed:   t,
					related: []goanalysis.RelatedInformation{{Pos: instrPos(gone), Message: w.Name() + " is set to nil here"}},
				})
				return
			}
		})
	}
}

// startsFromLast reports whether what is done with a field in use depends on what it was: it is added
// to, or it is a flag that is raised and asked.
func (f *forgotten) startsFromLast(ff *fieldFacts) bool {
	more, set := 0, 0
	for _, s := range ff.stores {
		switch {
		case s.more:
			more++
		case s.what == wSet && len(ff.tests) > 0:
			set++
		case s.what != wZero && s.what != wDerived:
			return false
		}
	}
	return more > 0 && set == 0 || set > 0 && more == 0 && f.isFlag(ff)
}

// without is a field without what one function does to it, and without what is added to it.
func (ff *fieldFacts) without(fn *ssa.Function) *fieldFacts {
	out := *ff
	out.stores = slices.DeleteFunc(slices.Clone(ff.stores), func(s fieldStore) bool {
		return s.instr.Parent() == fn || s.more || s.what == wDerived
	})
	return &out
}

func (f *forgotten) isFlag(ff *fieldFacts) bool { return isBool(ff.field.Type()) }

// emptiedBehind is where a field is emptied, in an arm of a test that another one is not nil, if it is
// emptied nowhere else, and where the other one is set to nil.
func (f *forgotten) emptiedBehind(ff, gf *fieldFacts, t *types.Named) (reset, gone ssa.Instruction) {
	arms := f.arms(gf)
	if len(arms) == 0 {
		return nil, nil
	}
	in := map[*ssa.Function]bool{}
	for _, s := range ff.stores {
		if s.what != wZero {
			continue
		}
		at := s.instr.Block()
		if !slices.ContainsFunc(arms, func(a arm) bool {
			return !a.isZero && a.to.Parent() == at.Parent() && (a.to == at || a.to.Dominates(at))
		}) {
			return nil, nil
		}
		in[at.Parent()] = true
		if reset == nil || instrPos(s.instr) < instrPos(reset) {
			reset = s.instr
		}
	}
	if reset == nil {
		return nil, nil
	}
	// A Put in such an arm, or a use, is as sure as the reset is.
	for _, p := range f.puts {
		if p.typ == t && slices.ContainsFunc(arms, func(a arm) bool {
			return !a.isZero && a.to.Parent() == p.fn && (a.to == p.instr.Block() || a.to.Dominates(p.instr.Block()))
		}) {
			return nil, nil
		}
	}
	for _, s := range gf.stores {
		if st, ok := s.instr.(*ssa.Store); ok && isNilConst(st.Val) && !in[st.Parent()] && !f.a.inTest(st.Parent()) && !f.begun(st, t, gf, 0) && !f.emptiesFor(st.Parent(), ff) {
			if gone == nil || instrPos(st) < instrPos(gone) {
				gone = st
			}
		}
	}
	if gone == nil {
		return nil, nil
	}
	return reset, gone
}

// emptiesFor reports whether a function calls one that empties a field.
func (f *forgotten) emptiesFor(fn *ssa.Function, ff *fieldFacts) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		callee := f.a.calledFunction(c)
		if callee != nil && slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.what == wZero && s.instr.Parent() == callee }) {
			return true
		}
	}
	return false
}
