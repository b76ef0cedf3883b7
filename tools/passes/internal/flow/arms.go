// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// passedBy finds, among the arms that a path passed by, the one that would have run a block in
// any case.
func passedBy(skipped []*ssa.BasicBlock, b *ssa.BasicBlock) *ssa.BasicBlock {
	n := slices.IndexFunc(skipped, func(arm *ssa.BasicBlock) bool { return inArm(arm, b) })
	if n < 0 {
		return nil
	}
	return skipped[n]
}

// inArm reports whether a block runs whenever the arm that begins with another one is run to its
// end: choices between them join again before it.
func inArm(arm, b *ssa.BasicBlock) bool {
	for b != arm {
		d := b.Idom()
		if d == nil || len(b.Preds) == 1 && len(d.Succs) != 1 {
			return false
		}
		b = d
	}
	return true
}

// alongside are the instructions that run whenever a block does.
func alongside(b *ssa.BasicBlock) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, x := range b.Parent().Blocks {
			if !runTogether(x, b) {
				continue
			}
			for _, i := range x.Instrs {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// runTogether reports whether neither of two blocks runs without the other.
func runTogether(x, y *ssa.BasicBlock) bool { return inArm(x, y) || inArm(y, x) }
