// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A loop that receives once for each of several goroutines has waited for all of them where it
// comes to its end, and not where it is left before, as on the first error.

// awaitedLoop is the block that tests the condition of the innermost loop around a block, where that
// is a loop that comes to an end by one: its head, or, where it runs over a number, its last.
func awaitedLoop(b *ssa.BasicBlock) *ssa.BasicBlock {
	for h := b; h != nil; h = h.Idom() {
		if !slices.ContainsFunc(h.Preds, h.Dominates) {
			continue
		}
		// The first head of a loop on the way up may be that of one beside this one.
		if !reachesBlock(b, h, map[*ssa.BasicBlock]bool{}) {
			continue
		}
		if endsLoop(h) {
			return h
		}
		for _, p := range h.Preds {
			if h.Dominates(p) && endsLoop(p) {
				return p
			}
		}
		return nil
	}
	return nil
}

// endsLoop reports whether a block ends with a test that leads out of a loop.
func endsLoop(b *ssa.BasicBlock) bool {
	_, ok := lastInstr(b).(*ssa.If)
	return ok && slices.ContainsFunc(b.Succs, loopDone)
}

// loopDone reports whether a block is where a loop goes on to by its condition.
func loopDone(b *ssa.BasicBlock) bool {
	kind, done := strings.CutSuffix(b.Comment, ".done")
	return done && (kind == "for" || strings.HasPrefix(kind, "range"))
}

// reachesBlock reports whether some path leads from b to h, which dominates it.
func reachesBlock(b, h *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	return slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool {
		if s == h {
			return true
		}
		if seen[s] || !h.Dominates(s) {
			return false
		}
		seen[s] = true
		return reachesBlock(s, h, seen)
	})
}

// comesToEnd sees a path go from a block to the next: where that is the end of a loop which
// received for the goroutines that were left, they are done.
func comesToEnd(st *state, b, next *ssa.BasicBlock) {
	if len(st.gos) == 0 || !loopDone(next) {
		return
	}
	if slices.ContainsFunc(st.gos, func(g *spawn) bool { return g.inTurn == b }) {
		st.gos = slices.DeleteFunc(slices.Clone(st.gos), func(g *spawn) bool { return g.inTurn == b })
	}
}
