// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What is reset before it goes on a chain of free nodes, but for one field, gives that field to the next
// taker. It shows where one taker sets the field, another does not, and whoever has a node asks whether the
// field is nil.

// missedBy is where the field of a node is asked for, if the reset before the store that makes the node free
// passes it over, and some of those who take a node set it and others do not.
func (f *forgotten) missedBy(st *ssa.Store, node *types.Named, v *types.Var, getters []*ssa.Function) ssa.Instruction {
	ff := f.facts[v]
	if len(getters) == 0 || f.asksSibling(ff) || len(ff.tests) == 0 || !f.resetBefore(st, node) {
		return nil
	}
	var set []setAt
	lacks := false
	setters := map[*ssa.Function]bool{}
	seen := map[*ssa.Function]bool{}
	var takers func(fn *ssa.Function) bool // false where somebody may set what is not seen
	takers = func(fn *ssa.Function) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		if f.taken[fn] || v.Exported() && callableElsewhere(fn) {
			return false
		}
		for _, c := range f.callers[fn] {
			if f.a.inTest(c.Parent()) {
				continue
			}
			bases := takenValues(c)
			if len(bases) == 0 {
				return false
			}
			ps := f.setsOf(bases, c, false, 0)
			if ps.open || ps.lent && v.Exported() || slices.ContainsFunc(ps.at[v], func(x setAt) bool { return x.asks }) {
				return false
			}
			set = append(set, ps.at[v]...)
			if len(ps.at[v]) > 0 {
				setters[origin(c.Parent())] = true
				continue
			}
			in := origin(c.Parent())
			switch {
			case !returnsOne(in, bases):
				lacks = true
			case !takers(in):
				return false
			case len(f.callers[in]) == 0:
				lacks = true
			}
		}
		return true
	}
	for _, g := range getters {
		if !takers(origin(g)) {
			return nil
		}
	}
	if !lacks || len(set) == 0 || !f.onlyThese(ff, set) {
		return nil
	}
	for _, t := range ff.tests {
		fn := origin(t.Parent())
		calls := f.callers[fn]
		if o, ok := t.(*ssa.BinOp); !ok || !isNilConst(o.X) && !isNilConst(o.Y) || setters[fn] || seen[fn] {
			continue
		}
		if len(calls) == 0 || f.taken[fn] || slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool { return !setters[origin(c.Parent())] }) {
			return t
		}
	}
	return nil
}

// returnsOne reports whether a function returns one of some values.
func returnsOne(fn *ssa.Function, values []ssa.Value) bool {
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && slices.ContainsFunc(r.Results, func(x ssa.Value) bool { return slices.Contains(values, x) }) {
			return true
		}
	}
	return false
}

// resetBefore reports whether two fields of a node, or more, are emptied in the function that makes it free, or in one
// that this one calls for it first.
func (f *forgotten) resetBefore(st *ssa.Store, node *types.Named) bool {
	empties := func(n ssa.Value) bool {
		emptied := map[*types.Var]bool{}
		for _, r := range referrers(n) {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			for _, q := range referrers(fa) {
				if s, ok := q.(*ssa.Store); ok && s.Addr == fa {
					if c, ok := s.Val.(*ssa.Const); ok && (c.Value == nil || isZero(c.Value)) {
						emptied[fieldAt(fa)] = true
					}
				}
			}
		}
		return len(emptied) > 1
	}
	if empties(st.Val) {
		return true
	}
	for _, r := range referrers(st.Val) {
		c, ok := r.(*ssa.Call)
		if !ok || !precedes(c, st) {
			continue
		}
		fn := f.a.calledFunction(c)
		k := slices.Index(c.Call.Args, st.Val)
		if fn != nil && k >= 0 && k < len(fn.Params) && !c.Call.IsInvoke() && empties(fn.Params[k]) {
			return true
		}
	}
	return false
}
