// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// What is appended where a test found that the length and what comes to it together stay below a
// limit, or cut to what is left of one, makes nothing larger than that limit.

// roomTested reports whether an append stays below a limit that was tested or worked out for it.
func roomTested(c *ssa.CallCommon, at *ssa.BasicBlock) bool {
	if b, ok := c.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(c.Args) != 2 {
		return false
	}
	dst := c.Args[0]
	if s, ok := c.Args[1].(*ssa.Slice); ok && s.Low == nil && s.High != nil {
		if left, ok := s.High.(*ssa.BinOp); ok && left.Op == token.SUB && isLengthOf(left.Y, dst) {
			return true // p[:limit-len(dst)]
		}
	}
	for ; at != nil; at = at.Idom() {
		if len(at.Preds) != 1 {
			continue
		}
		before := at.Preds[0]
		t, ok := before.Instrs[len(before.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := t.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		var below bool // what stands first is the smaller one in the first arm
		switch cmp.Op {
		case token.LSS, token.LEQ:
			below = true
		case token.GTR, token.GEQ:
		default:
			continue
		}
		sum := cmp.Y
		if below == (before.Succs[0] == at) {
			sum = cmp.X
		}
		if add, ok := sum.(*ssa.BinOp); ok && add.Op == token.ADD && (isLengthOf(add.X, dst) && isLengthOf(add.Y, c.Args[1]) || isLengthOf(add.Y, dst) && isLengthOf(add.X, c.Args[1])) {
			return true
		}
	}
	return false
}

// isLengthOf reports whether a number is the length of a slice.
func isLengthOf(n, s ssa.Value) bool {
	c, ok := n.(*ssa.Call)
	return ok && sizeCall(c) == "len" && sameRead(c.Call.Args[0], s)
}
