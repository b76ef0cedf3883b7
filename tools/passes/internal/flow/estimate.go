// SPDX-License-Identifier: BSD-3-Clause

package flow

// Most of the time of the walks of a large package goes to roots that are over their budget in the end,
// of which nothing is learned. What part of a walk is done can be told early (D. E. Knuth, "Estimating
// the efficiency of backtrack programs", Mathematics of Computation 29, 1975): where a path parts, each
// branch has its part of the path's share of the whole, and the shares of the paths that have ended say how
// many steps the whole would take, as if what is left were like what was seen.

// A walk is given up when it has taken these tenths of its steps, and would take so many times of
// those that it may.
const (
	hopelessTenths = 3
	hopelessTimes  = 3
)

// walkToEnd is set by the test that shows what giving up changes.
var walkToEnd bool

// progress tells how far a walk has come.
type progress struct {
	ended   float64 // the shares of the paths that have ended
	watched bool    // the walk may be given up
	gaveUp  bool
}

// pathEnds notes that a path is not followed any more.
func (a *analysis) pathEnds(st *state) { a.progress.ended += st.share }

// splitShare splits a path's share among so many.
func splitShare(st *state, ways int) { st.share /= float64(ways) }

// giveUpHopeless ends a walk that has little hope to come to an end within its steps.
func (a *analysis) giveUpHopeless() {
	p := &a.progress
	if !p.watched || 10*a.steps < hopelessTenths*a.limit || p.ended*hopelessTimes*float64(a.limit) >= float64(a.steps) {
		return
	}
	p.gaveUp = true
	panic(overBudget{})
}

// stepsMeant is how many steps the walk counts for, against what the package may take: one that was given up counts
// as if it had been followed, so that it decides nothing for the roots after it.
func (a *analysis) stepsMeant() int {
	if a.progress.gaveUp {
		return a.limit + 1
	}
	return a.steps
}
