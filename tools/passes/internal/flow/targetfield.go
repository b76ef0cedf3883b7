// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A wrapper of a response or connection may hold a writer from a pool from the start, and reset it to
// its target when it turns out that it is needed. A method that asks only whether the field is nil
// uses it on the other way, too: it still works on what its last user gave it.

// A targetField is what a package does with a field that holds a pooled reader or writer.
type targetField struct {
	f      *forgotten
	v      *types.Var
	of     *types.Struct
	taken  ssa.Instruction // the store of what came from the pool, as it came
	resets []ssa.CallInstruction
	uses   []ssa.CallInstruction
	other  bool // set to nil, or to something else
}

// judgeTargetFields reports uses of such fields that no reset comes before.
func (a *analysis) judgeTargetFields() {
	if !a.poolsStreams() {
		return
	}
	f := a.uses()
	fields := map[*types.Var]*targetField{}
	var order []*targetField
	of := func(v *types.Var, s *types.Struct) *targetField {
		t := fields[v]
		if t == nil {
			t = &targetField{f: f, v: v, of: s}
			fields[v] = t
			order = append(order, t)
		}
		return t
	}
	for _, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			fa, ok := i.Addr.(*ssa.FieldAddr)
			if !ok || worksOn(i.Val.Type()) == "" {
				continue
			}
			t := of(fieldAt(fa), structOf(fa.X.Type()))
			if f.asTaken(i.Val) {
				t.taken = i
			} else {
				t.other = true
			}
		case ssa.CallInstruction:
			m := calledMethod(i)
			if m == nil || i.Common().IsInvoke() || len(i.Common().Args) == 0 {
				continue
			}
			v, base := fieldLoad(i.Common().Args[0])
			key := worksOn(i.Common().Args[0].Type())
			if v == nil || key == "" {
				continue
			}
			t := of(v, structOf(base.Type()))
			switch {
			case strings.HasPrefix(m.Name(), "Reset"):
				if len(i.Common().Args) > 1 && givesNothing(i.Common().Args[1]) {
					continue // let go of, for the pool
				}
				t.resets = append(t.resets, i)
			case usesTarget(key, m.Name()):
				t.uses = append(t.uses, i)
			}
		}
	}
	for _, t := range order {
		if t.taken == nil || t.other || len(t.resets) == 0 {
			continue
		}
		if slices.ContainsFunc(t.resets, func(r ssa.CallInstruction) bool {
			return r.Parent() == t.taken.Parent() || a.leadsInto(t.taken.Parent(), r.Parent(), 3) && failsElsewhere(r) || !returnsAround(r.Parent().Blocks[0], map[*ssa.BasicBlock]bool{r.Block(): true})
		}) {
			continue
		}
		for _, u := range t.uses {
			if t.guarded(u, 0) {
				continue
			}
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(u), fn: u.Parent(),
				message: fmt.Sprintf("%s is used here also where the pooled writer or reader in it was not reset (%s): it works on what its last user gave it", t.v.Name(), a.line(instrPos(t.resets[0]))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(t.taken), Message: "stored as it came from the pool"}, {Pos: instrPos(t.resets[0]), Message: "reset here, on one way"}},
			})
			break
		}
	}
}

// leadsInto reports whether a function is another, or calls it by at most so many steps.
func (a *analysis) leadsInto(fn, to *ssa.Function, steps int) bool {
	if fn == to {
		return true
	}
	if steps == 0 {
		return false
	}
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok {
			if callee := a.calledFunction(c); callee != nil && a.leadsInto(callee, to, steps-1) {
				return true
			}
		}
	}
	return false
}

// failsElsewhere reports whether a function in which a reset stands returns an error wherever it does not reset.
func failsElsewhere(r ssa.CallInstruction) bool {
	for _, b := range r.Parent().Blocks {
		ret, ok := lastInstr(b).(*ssa.Return)
		if !ok || r.Block().Dominates(b) || b == r.Parent().Recover {
			continue
		}
		n := len(ret.Results)
		if n == 0 || !isError(ret.Results[n-1].Type()) || !makesError(ret.Results[n-1]) && !underFailure(b) {
			return false
		}
	}
	return true
}

// asTaken reports whether a value came from a pool and was not reset in the function that took it.
func (f *forgotten) asTaken(v ssa.Value) bool {
	ta, ok := v.(*ssa.TypeAssert)
	if !ok {
		return false
	}
	c, ok := ta.X.(*ssa.Call)
	if !ok || funcKey(calledMethod(c)) != "sync.Pool.Get" {
		return false
	}
	return !slices.ContainsFunc(referrers(ta), func(r ssa.Instruction) bool {
		m := calledMethod(r)
		return m != nil && strings.HasPrefix(m.Name(), "Reset")
	})
}

// guarded reports whether a use may be right: a reset, or a call that may lead to one, comes before
// it, what decides it was set with the reset, or it hangs on something that is not followed.
func (t *targetField) guarded(u ssa.Instruction, depth int) bool {
	fn := u.Parent()
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || i == u || !precedes(i, u) {
			continue
		}
		if slices.Contains(t.resets, c) {
			return true
		}
		if callee := t.f.a.calledFunction(c); callee != nil && slices.ContainsFunc(t.resets, func(r ssa.CallInstruction) bool { return r.Parent() == callee }) {
			return true
		}
	}
	for _, c := range deciders(u.Block(), nil) {
		if leadsFrom(c, 0, func(x ssa.Value) bool {
			switch x := x.(type) {
			case *ssa.Call:
				_, isBuiltin := x.Call.Value.(*ssa.Builtin)
				return !isBuiltin && !isError(x.Type())
			case *ssa.Parameter:
				return isBasic(x.Type())
			case *ssa.FieldAddr:
				return t.marks(fieldAt(x))
			}
			return false
		}) {
			return true
		}
	}
	if depth > 2 || fn.Parent() != nil || t.f.taken[fn] {
		return fn.Parent() != nil
	}
	calls := t.f.callers[fn]
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool { return !t.guarded(c, depth+1) })
}

// marks reports whether a field is set only where the reset is done.
func (t *targetField) marks(w *types.Var) bool {
	if w == t.v {
		return false
	}
	ff := t.f.facts[w]
	if ff == nil || ff.open {
		return true
	}
	set := false
	for _, s := range ff.stores {
		if s.what == wZero {
			continue
		}
		set = true
		if !slices.ContainsFunc(t.resets, func(r ssa.CallInstruction) bool {
			at, b := s.instr.Block(), r.Block()
			return at == b || at.Parent() == b.Parent() && (b.Dominates(at) || at.Dominates(b) && !returnsAround(at, map[*ssa.BasicBlock]bool{b: true}))
		}) {
			return false
		}
	}
	return set
}
