// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
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
const onceWork = 75_000

// followOnce walks a root that was over its budget, or done, but for callees that were
// given up. The walk may take so many steps.
func (a *analysis) followOnce(walk func() bool, steps int, done bool) {
	if FactsOnly || !a.mayTwice(a.root) {
		return
	}
	spent := a.spent
	a.once = true
	if done || a.endsAlike(&a.parting, a.parting.once, steps) || !walk() || len(a.refused) > 0 {
		clear(a.refused) // with fewer ways through them, they may not be too much
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
func (a *analysis) visitsOf(st *state, b *ssa.BasicBlock) uint8 {
	f := st.f
	if n := a.turnsOf(st, b); n > 0 {
		return uint8(n + 1)
	}
	if (a.onceAll || f.parent == nil && len(f.stack) == 0) && !slices.ContainsFunc(b.Preds, b.Dominates) {
		if a.once {
			return 1
		}
		if f.visits[b.Index] > 0 {
			a.noteParting(&a.parting.once)
		}
	}
	if f.further {
		return maxVisits + 1
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

// takesOne decides, in a walk that follows loops once, the test whether a pool had a value:
// it had. What was made instead goes the same ways.
func (a *analysis) takesOne(st *state, c *sym) (value, ok bool) {
	if c.kind == kArith && c.idx != int(token.NOT) {
		return false, false
	}
	if c.kind == kArith {
		value, ok = a.takesOne(st, c.a)
		return !value, ok
	}
	if c.kind != kCmp || c.idx != int(token.EQL) {
		return false, false
	}
	x, y := c.a, c.b
	if x.kind == kNil {
		x, y = y, x
	}
	if x.kind != kToken || y.kind != kNil {
		return false, false
	}
	if !a.once {
		a.noteParting(&a.parting.once)
		return false, false
	}
	st.truth[c] = false
	return false, true
}

// errorIgnored reports whether a call's last result is not looked at: the program relies on
// there being no error.
func errorIgnored(i ssa.CallInstruction) bool {
	v := i.Value()
	if v == nil || v.Referrers() == nil {
		return false
	}
	n := i.Common().Signature().Results().Len()
	for _, r := range referrers(v) {
		if e, ok := r.(*ssa.Extract); !ok || e.Index == n-1 && len(referrers(e)) > 0 {
			return false
		}
	}
	return true
}
