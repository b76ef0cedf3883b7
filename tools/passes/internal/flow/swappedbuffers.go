// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An algorithm in rounds may read one buffer and write another, and swap the two after each round. Which of them
// has the result is known by the number of rounds, and a function that begins with one or the other as that number is
// even or odd has it where it wants it. The walk does not count rounds.

// swapped reports whether a result is one of two buffers that a loop swaps, in a function that asks
// whether a number is even.
func swapped(v ssa.Value) bool {
	p, ok := v.(*ssa.Phi)
	if !ok {
		return false
	}
	if !inSwap(p) && !slices.ContainsFunc(p.Edges, func(e ssa.Value) bool {
		q, ok := e.(*ssa.Phi) // after the loop
		return ok && inSwap(q)
	}) {
		return false
	}
	for i := range instrsOf(p.Parent()) {
		o, ok := i.(*ssa.BinOp)
		if !ok || !isInteger(o.Type()) {
			continue
		}
		c, ok := o.Y.(*ssa.Const)
		if ok && c.Value != nil && (o.Op == token.REM && constant.Compare(c.Value, token.EQL, constant.MakeInt64(2)) || o.Op == token.AND && constant.Compare(c.Value, token.EQL, constant.MakeInt64(1))) {
			return true
		}
	}
	return false
}

// inSwap reports whether a value becomes another one in each round of a loop, and that becomes it.
func inSwap(p *ssa.Phi) bool {
	for k, e := range p.Edges {
		q, ok := e.(*ssa.Phi)
		if ok && q != p && q.Block() == p.Block() && k < len(q.Edges) && q.Edges[k] == ssa.Value(p) {
			return true
		}
	}
	return false
}
