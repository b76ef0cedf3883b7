// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop that works off messages may take a value for one, put it for another, and use it for a third. Two turns show
// the first two. So a path that comes to the loop again with a variable that has what the turn before put goes round
// once more.

// comesRoundReleased reports whether a path that had its turns comes to the head of a loop with a variable that has what was
// put in a turn.
func (a *analysis) comesRoundReleased(st *state, b, prev *ssa.BasicBlock) bool {
	f := st.f
	if f.further || a.once || f.parent != nil || prev == nil || len(st.rel) == 0 || !b.Dominates(prev) {
		return false
	}
	edge := slices.Index(b.Preds, prev)
	for _, i := range b.Instrs {
		p, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		v := plain(a.val(st, p.Edges[edge]))
		if r := st.rel[v]; v.kind == kToken && r != nil && !r.async && !st.gone[v] {
			f.further = true
			return true
		}
	}
	return false
}
