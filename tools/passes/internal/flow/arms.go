// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// passedBy finds, among the arms that a path passed by, the one that would have run a block in
// any case.
func passedBy(skipped []*ssa.BasicBlock, b *ssa.BasicBlock) *ssa.BasicBlock {
	test := beforeNilTest(b)
	n := slices.IndexFunc(skipped, func(arm *ssa.BasicBlock) bool { return inArm(arm, b) || inArm(arm, test) })
	if n < 0 {
		return nil
	}
	return skipped[n]
}

// testsFlag reports whether a block ends with a test of a flag in an object, by itself or by a method.
func testsFlag(b *ssa.BasicBlock) bool {
	iff, ok := lastInstr(b).(*ssa.If)
	if !ok {
		return false
	}
	switch c := iff.Cond.(type) {
	case *ssa.UnOp:
		_, field := c.X.(*ssa.FieldAddr)
		return c.Op == token.MUL && field
	case *ssa.Call:
		fn := c.Call.StaticCallee()
		return fn != nil && fn.Signature.Recv() != nil && len(fn.Params) == 1
	}
	return false
}

// leavesWithout reports whether a block is the end of a function that gives no result.
func leavesWithout(b *ssa.BasicBlock) bool {
	r, ok := lastInstr(b).(*ssa.Return)
	return ok && len(r.Results) == 0
}

// beforeNilTest is the block that asks whether what a block passes on is there at all, or the block
// itself: nil is no value that could be lost.
func beforeNilTest(b *ssa.BasicBlock) *ssa.BasicBlock {
	if len(b.Preds) != 1 {
		return b
	}
	iff, ok := lastInstr(b.Preds[0]).(*ssa.If)
	if !ok {
		return b
	}
	o, ok := iff.Cond.(*ssa.BinOp)
	if !ok || o.Op != token.NEQ && o.Op != token.EQL || (o.Op == token.NEQ) != (iff.Block().Succs[0] == b) {
		return b
	}
	x := o.X
	if c, isConst := x.(*ssa.Const); isConst && c.Value == nil {
		x = o.Y
	} else if c, isConst := o.Y.(*ssa.Const); !isConst || c.Value != nil {
		return b
	}
	for _, i := range b.Instrs {
		c, ok := i.(ssa.CallInstruction)
		if ok && slices.ContainsFunc(c.Common().Args, func(arg ssa.Value) bool { return oneRead(unboxed(arg), x, 0) }) {
			return iff.Block()
		}
	}
	return b
}

// inArm reports whether a block runs whenever the arm that begins with another one is run to its
// end: choices between them join again before it.
func inArm(arm, b *ssa.BasicBlock) bool {
	for b != arm {
		d := b.Idom()
		if d == nil || len(b.Preds) == 1 && len(d.Succs) != 1 {
			return false
		}
		b = d
	}
	return true
}

// alongside are the instructions that run whenever a block does.
func alongside(b *ssa.BasicBlock) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, x := range b.Parent().Blocks {
			if !runTogether(x, b) {
				continue
			}
			for _, i := range x.Instrs {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// runTogether reports whether neither of two blocks runs without the other.
func runTogether(x, y *ssa.BasicBlock) bool { return inArm(x, y) || inArm(y, x) }
