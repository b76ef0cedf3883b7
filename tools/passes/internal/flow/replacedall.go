// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A loop that goes over a slice and sets each element, to a copy of it for instance, leaves nothing there of what
// the elements led to before.

// noteReplaced sees a store: where each round of a loop over a slice sets the element, the others are
// taken to be set with the first. Pooled values themselves are not: each round has one to put.
func (a *analysis) noteReplaced(st *state, i *ssa.Store, addr *sym) {
	if addr.kind != kElem || !replacesEach(i) {
		return
	}
	for base := addr.a; base != nil; base = base.a {
		for k := range st.mem {
			if e := slot(k); e != nil && e.a == base && e != addr && plain(st.mem[k]).kind != kToken {
				delete(st.mem, k)
			}
		}
		if base.kind != kAppend && base.kind != kView {
			return
		}
	}
}

// replacesEach reports whether a store is of the element that a loop over a slice looks at, in each of its rounds.
func replacesEach(i *ssa.Store) bool {
	ia, ok := i.Addr.(*ssa.IndexAddr)
	if !ok || !isSlice(ia.X.Type()) {
		return false
	}
	n, ok := ia.Index.(*ssa.BinOp)
	if !ok || n.Op != token.ADD || n.Block().Comment != "rangeindex.loop" {
		return false
	}
	head := n.Block()
	t, ok := lastInstr(head).(*ssa.If)
	if !ok {
		return false
	}
	c, ok := t.Cond.(*ssa.BinOp)
	if !ok || c.X != ssa.Value(n) {
		return false
	}
	l, ok := c.Y.(*ssa.Call)
	if !ok || !isBuiltin(l, "len") || l.Call.Args[0] != ia.X {
		return false
	}
	for _, p := range head.Preds {
		if head.Dominates(p) && !i.Block().Dominates(p) {
			return false
		}
	}
	return true
}
