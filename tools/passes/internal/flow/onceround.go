// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function that serves requests in a loop, all of its callees in view, is soon too
// much: each way through a turn is followed by each way through the next. What goes
// wrong within one turn shows without the next one. So a root that went over its budget
// is walked once more with its own loops, not those of its callees, followed once, and if
// that is too much as well, with those of the callees, too. What that finds counts; what it
// does not see it says nothing about. A root of which a callee was given up is as well.

// onceWork bounds what the last attempt costs.
const onceWork = 60_000

// followOnce walks a root that was over its budget.
func (a *analysis) followOnce(walk func() bool) {
	if a.spentTwice >= maxPackage {
		return
	}
	spent := a.spent
	refused := len(a.refused) > 0 // the walk before came to an end, but for callees
	a.once = true
	if refused || !walk() || len(a.refused) > 0 {
		a.onceAll, a.workLimit = true, onceWork
		walk()
		a.onceAll, a.workLimit = false, maxWork
	}
	a.once = false
	a.spentTwice += a.spent - spent
	a.spent = spent
}

// partial reports whether the current walk may leave out what others see.
func (a *analysis) partial() bool { return a.several || a.once || len(a.refused) > 0 }

// visitsOf is how often a path may come to a block.
func (a *analysis) visitsOf(f *frame, b *ssa.BasicBlock) uint8 {
	if a.once && (a.onceAll || f.parent == nil && len(f.stack) == 0) && !slices.ContainsFunc(b.Preds, b.Dominates) {
		return 1
	}
	return maxVisits
}

// mostExits is how many exits an activation may have. Where loops are followed once, more
// are no danger.
func (a *analysis) mostExits() int {
	if a.onceAll {
		return 4 * maxExits
	}
	return maxExits
}
