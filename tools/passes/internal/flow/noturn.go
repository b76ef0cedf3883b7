// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop that starts goroutines with a value, or sends it to some, leaves the value to them, and the last of them puts
// it. A path on which the loop has no turn leaves it to none: whoever wrote that knows that there is something to be
// done. The value is not lost for that.

// An idle is a loop that a path came to the end of without a turn.
type idle struct {
	head *ssa.BasicBlock
	toks int // how many values the path had taken by then
}

// noteIdle sees a path that came to a block from another one go on to the next: where that is the end of a loop that
// had no turn, the path keeps so.
func (a *analysis) noteIdle(st *state, prev, b, next *ssa.BasicBlock) {
	if len(st.toks) == 0 {
		return
	}
	head := b
	switch b.Comment {
	case "switch.next":
		if next.Comment != "switch.done" || !a.asksOnce(b) {
			return
		}
	case "for.loop", "rangeindex.loop", "rangeiter.loop", "rangechan.loop":
		if prev == nil || b.Dominates(prev) {
			return
		}
		if inLoopOf(next, b) {
			if isCond(next) {
				st.asked = b
			} else if st.asked != nil && st.asked.Parent() == b.Parent() {
				st.asked = nil
			}
			return
		}
	case "cond.true", "cond.false":
		head = st.asked
		if head == nil || head.Parent() != b.Parent() {
			return
		}
		if inLoopOf(next, head) {
			if !isCond(next) {
				st.asked = nil // a turn
			}
			return
		}
		st.asked = nil
		if !inLoopOf(b, head) {
			return
		}
	default:
		// A loop over a number is passed by before its head.
		n := slices.IndexFunc(b.Succs, func(s *ssa.BasicBlock) bool {
			return s != next && s.Comment == "rangeint.body" && !s.Dominates(b)
		})
		if n < 0 {
			return
		}
		head = b.Succs[n]
	}
	st.idle = append(st.idle, idle{head, len(st.toks)})
}

// isCond reports whether a block has the second half of a condition.
func isCond(b *ssa.BasicBlock) bool { return b.Comment == "cond.true" || b.Comment == "cond.false" }

// inLoopOf reports whether a block is in the loop with a head.
func inLoopOf(b, head *ssa.BasicBlock) bool {
	return head.Dominates(b) && (b == head || reachesBlock(b, head, map[*ssa.BasicBlock]bool{}))
}

// noteTurns keeps the loops around where a value was left to a goroutine that may put it.
func (a *analysis) noteTurns(at event, x *sym) {
	t := memory(x)
	if t.kind != kToken {
		return
	}
	k := leakKey{t.stack[0], t.pool.label()}
	for _, i := range at.stack {
		for h := i.Block(); h != nil; h = h.Idom() {
			if _, known := a.turns[k][h]; known || !slices.ContainsFunc(h.Preds, h.Dominates) || !inLoopOf(i.Block(), h) {
				continue
			}
			if a.turns[k] == nil {
				a.turns[k] = map[*ssa.BasicBlock]bool{}
			}
			a.turns[k][h] = !a.countsInTurn(h, t.typ)
		}
	}
}

// countsInTurn reports whether a turn of a loop counts references to a value up: the function has one of its own then,
// which it does not leave to any goroutine.
func (a *analysis) countsInTurn(head *ssa.BasicBlock, t types.Type) bool {
	up := func(i ssa.Instruction) bool {
		of, _, by := countStep(i)
		return by > 0 && t != nil && types.Identical(of.Type(), t)
	}
	for _, b := range head.Parent().Blocks {
		if !inLoopOf(b, head) {
			continue
		}
		for _, i := range b.Instrs {
			if up(i) {
				return true
			}
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			if fn := a.calledFunction(c); fn != nil && a.inPackage(fn) {
				for i := range instrsOf(fn) {
					if up(i) {
						return true
					}
				}
			}
		}
	}
	return false
}

// hadNoTurn reports whether a path came, with a value that it took, to the end of a loop without a turn, where each
// turn leaves such a value to a goroutine.
func (a *analysis) hadNoTurn(k leakKey, p lostPath) bool {
	return slices.ContainsFunc(p.idle, func(h *ssa.BasicBlock) bool { return a.turns[k][h] || ofSwitch(h) })
}

// idleWith are the heads of loops that a path had no turn of when it had a value.
func idleWith(st *state, t *sym) (list []*ssa.BasicBlock) {
	n := slices.Index(st.toks, t)
	for _, x := range st.idle {
		if n < x.toks {
			list = append(list, x.head)
		}
	}
	return list
}

// idleOnBoth are the loops that each of two paths had no turn of: what is lost on one of them for another reason is lost.
func idleOnBoth(x, y []idle) (both []idle) {
	for _, v := range x {
		if k := slices.IndexFunc(y, func(w idle) bool { return w.head == v.head }); k >= 0 {
			both = append(both, idle{v.head, min(v.toks, y[k].toks)})
		}
	}
	return both
}
