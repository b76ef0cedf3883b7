// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop that starts goroutines with a value leaves the value to them, and the last of them puts it. A path on which
// the loop has no turn starts none: whoever wrote that knows that there is something to be done, or that there would be
// nothing to wait for. The value is not lost for that.

// An idle is a loop that a path came to the end of without a turn.
type idle struct {
	head *ssa.BasicBlock
	toks int // how many values the path had taken by then
}

// noteIdle sees a path that came to a block from another one go on to the next: where that is the end of a loop that
// had no turn, the path keeps so.
func noteIdle(st *state, prev, b, next *ssa.BasicBlock) {
	if len(st.toks) == 0 {
		return
	}
	head := b
	switch b.Comment {
	case "for.loop", "rangeindex.loop", "rangeiter.loop", "rangechan.loop":
		if prev == nil || b.Dominates(prev) || inLoopOf(next, b) {
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

// inLoopOf reports whether a block is in the loop with a head.
func inLoopOf(b, head *ssa.BasicBlock) bool {
	return head.Dominates(b) && (b == head || reachesBlock(b, head, map[*ssa.BasicBlock]bool{}))
}

// noteTurns keeps the loops around where a goroutine was started that may put a value.
func (a *analysis) noteTurns(at event, x *sym) {
	t := memory(x)
	if t.kind != kToken {
		return
	}
	k := leakKey{t.stack[0], t.pool.label()}
	for _, i := range at.stack {
		for h := i.Block(); h != nil; h = h.Idom() {
			if !slices.ContainsFunc(h.Preds, h.Dominates) || !inLoopOf(i.Block(), h) || slices.Contains(a.turns[k], h) {
				continue
			}
			a.turns[k] = append(a.turns[k], h)
		}
	}
}

// hadNoTurn reports whether a path came, with a value that it took, to the end of a loop without a turn, where each
// turn gives such a value to a goroutine.
func (a *analysis) hadNoTurn(k leakKey, p lostPath) bool {
	return slices.ContainsFunc(p.idle, func(h *ssa.BasicBlock) bool { return slices.Contains(a.turns[k], h) })
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
