// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop with many ways through it has the square of them through two rounds, and its
// function goes over the budget. Before calls are followed less far, such a function is
// walked with one round of each loop: what one round does shows in it, what one leaves to
// the next does not.

// visitsOf is how often a path may come by a block. On a straight walk that is once,
// but for the head of a loop, so that a path can leave the loop after a round.
func (a *analysis) visitsOf(b *ssa.BasicBlock) uint8 {
	if a.straight && !slices.ContainsFunc(b.Preds, b.Dominates) {
		return 1
	}
	return maxVisits
}
