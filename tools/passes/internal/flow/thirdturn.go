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

// comesRoundDeferred reports whether a path that had its turns comes to the head of a loop after two of them deferred the same
// call with the same pooled value, or with the same variable: only where the function returns is that done twice.
func (a *analysis) comesRoundDeferred(st *state, b, prev *ssa.BasicBlock) bool {
	f := st.f
	n := len(f.defers)
	if f.further || a.once || f.parent != nil || prev == nil || n < 2 || !b.Dominates(prev) {
		return false
	}
	d, e := f.defers[n-2], f.defers[n-1]
	if d.instr != e.instr || !b.Dominates(d.instr.Block()) || !slices.Equal(d.args, e.args) {
		return false
	}
	pooled := func(x *sym) bool { return plain(x).kind == kToken }
	same := slices.ContainsFunc(d.args, pooled)
	if x, y := d.callee.fn, e.callee.fn; x != nil && y != nil && x.kind == kClosure {
		same = slices.Equal(x.list, y.list) && (same || slices.ContainsFunc(x.list, func(v *sym) bool { return pooled(v) || st.mem[v] != nil && pooled(st.mem[v]) }))
	}
	f.further = f.further || same
	return same
}
