// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A goroutine that is given a value by one who has no more to do with it, and that puts it where it ends, has to put it
// wherever it ends.

// lostInGo looks at the ways in which a goroutine ends, of which some put a value that it was given.
func (a *analysis) lostInGo(st *state, i ssa.CallInstruction, ends []outcome, args []*sym) {
	if _, isGo := i.(*ssa.Go); !isGo || a.quiet > 0 || a.several || len(a.refused) > 0 || len(ends) < 2 {
		return
	}
	for n, x := range args {
		t := memory(plain(x))
		if t.kind != kToken || st.handed[t] || st.gone[t] || st.rel[t] != nil || st.sent[t] != nil || n >= len(i.Common().Args) || !handsOver(i, i.Common().Args[n]) || a.heldElsewhere(st, t) {
			continue
		}
		var released []*ssa.BasicBlock
		for _, o := range ends {
			if r := o.st.rel[t]; r != nil && !r.async {
				for _, s := range r.stack[min(len(st.f.stack)+1, len(r.stack)):] {
					released = append(released, s.Block())
				}
			}
		}
		if len(released) == 0 {
			continue
		}
		for _, o := range ends {
			if !a.losesGiven(st, o.st, t) || slices.ContainsFunc(released, func(b *ssa.BasicBlock) bool {
				arm := passedBy(o.st.skipped, b)
				return arm != nil && !underSentinel(arm) && !underFailure(arm) && !underSuccess(arm, t)
			}) {
				continue
			}
			at := instrPos(o.st.returned)
			a.report(finding{
				pattern: missingPut, pos: t.stack[0], fn: a.root, pool: t.pool,
				message: a.saidTaken(t.stack, t.pool.label()) + " is not put back by the goroutine that it is given to (" + a.line(i.Pos()) + "), on the path on which that ends (" + a.line(at) + ")",
				related: []goanalysis.RelatedInformation{{Pos: at, Message: "lost at this return"}, {Pos: i.Pos(), Message: "given here"}},
				more:    a.acquired(t),
			})
			break
		}
	}
}

// losesGiven reports whether a goroutine that was given t has nobody left who has it when it ends.
func (a *analysis) losesGiven(st, end *state, t *sym) bool {
	if end.returned == nil || end.rel[t] != nil || end.gone[t] || end.handed[t] || end.lent[t] != nil || end.measured[t] != 0 && !a.hadRoom(end, t) || a.failed(end, t) || end.walkedOff {
		return false
	}
	if isNil, ok := end.truth[a.syms.nilTest(t)]; ok && isNil || otherType(end, t) {
		return false
	}
	if slices.ContainsFunc(idleWith(end, t), ofSwitch) {
		return false
	}
	return !a.takesOver(st, end, t)
}

// handsOver reports whether a function has nothing to do with an argument after the go statement that it is given to,
// until it has another one.
func handsOver(i ssa.CallInstruction, v ssa.Value) bool {
	var made *ssa.BasicBlock
	if def, ok := v.(ssa.Instruction); ok {
		made = def.Block()
	}
	after := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		for _, s := range b.Succs {
			if s != made && !after[s] {
				after[s] = true
				walk(s)
			}
		}
	}
	walk(i.Block())
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		if _, debug := r.(*ssa.DebugRef); debug || r == i {
			return false
		}
		return after[r.Block()] || r.Block() == i.Block() && precedes(i, r)
	})
}

// heldElsewhere reports whether memory that others see leads to a value.
func (a *analysis) heldElsewhere(st *state, t *sym) bool {
	found := false
	for _, addr := range sortedKeys(st.mem) {
		if b := addr.base(); b.kind != kAlloc && b != t {
			a.reach(st, st.mem[addr], func(x *sym) bool { found = found || x == t; return !found })
		}
	}
	return found
}
