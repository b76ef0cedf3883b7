// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A worker without a result that ends because a channel without values was closed leaves what it gathered
// to the collector: the whole of what it works for has come to its end.

// endedBySignal reports whether a return is come to right where a select received from such a channel.
func endedBySignal(i ssa.Instruction) bool {
	if r, ok := i.(*ssa.Return); !ok || len(r.Results) > 0 {
		return false
	}
	for b := i.Block(); len(b.Preds) == 1; b = b.Preds[0] {
		t, ok := lastInstr(b.Preds[0]).(*ssa.If)
		if !ok {
			continue
		}
		c, ok := t.Cond.(*ssa.BinOp)
		if !ok || c.Op != token.EQL || b != b.Preds[0].Succs[0] {
			continue
		}
		x, ok := c.X.(*ssa.Extract)
		if !ok {
			continue
		}
		s, ok := x.Tuple.(*ssa.Select)
		n, isConst := c.Y.(*ssa.Const)
		if !ok || !isConst || x.Index != 0 || int(n.Int64()) >= len(s.States) {
			continue
		}
		state := s.States[n.Int64()]
		ch, ok := state.Chan.Type().Underlying().(*types.Chan)
		return ok && state.Dir == types.RecvOnly && emptyStruct(ch.Elem())
	}
	return false
}
