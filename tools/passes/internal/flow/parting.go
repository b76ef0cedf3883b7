// SPDX-License-Identifier: BSD-3-Clause

package flow

// A root whose walk was over its budget is walked again with less: with its loops followed once, then
// less deep. Such a walk takes the steps of the one before until something is decided another way. If
// that comes later than its own budget lasts, it is over it as well, and needs no walking.

// A parting tells where others would first have gone another way than a walk: the step, or 0.
type parting struct {
	once  int               // one that follows the loops of the root once
	less  [len(budgets)]int // one with that budget
	steps int               // how far the walk came
	meant int               // how many it counts for
	blame bool              // it was ended by a callee that has too many exits
}

// walkAnyway is set by the test that shows that such walks find nothing.
var walkAnyway bool

func (a *analysis) noteParting(at *int) {
	if *at == 0 {
		*at = a.steps
	}
}

// partAtDepth notes that a call is followed at a depth.
func (a *analysis) partAtDepth(depth int) {
	for k, b := range budgets {
		if depth >= b.depth {
			a.noteParting(&a.parting.less[k])
		}
	}
}

// partAtExits notes that exits of a call are not merged.
func (a *analysis) partAtExits() {
	for k, b := range budgets {
		if a.steps > mergedAfter(stepsOf(b)) {
			a.noteParting(&a.parting.less[k])
		}
	}
}

// endsAlike reports whether a walk of so many steps ends as one did that was over its budget, and from
// which it parts there. It counts as walked, so that what is left of the package's budget does not
// depend on this.
func (a *analysis) endsAlike(p *parting, at, limit int) bool {
	if p == nil || p.blame || at != 0 && at <= min(p.steps, limit) {
		return false
	}
	if walkAnyway {
		return false
	}
	a.spent += min(p.meant, limit+1)
	return true
}
