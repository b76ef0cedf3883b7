// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// A comparison of a size is a limit on what a pool keeps where one way on does not put. It is none where
// the value is put the other way as well, or is given to the caller as what it was asked for, and none
// where it comes too late to say anything about the Put.

// noLimit reports whether a comparison, in a function on the way to a Put, is none on what is put at a
// call: on is where the functions on the way go on.
func (a *analysis) noLimit(o *ssa.BinOp, at ssa.Instruction, on []ssa.Instruction) bool {
	c, ok := at.(*ssa.Call)
	iff, isIf := lastInstr(o.Block()).(*ssa.If)
	if !ok || !isIf || iff.Cond != o || len(*o.Referrers()) != 1 {
		return false
	}
	if o.Block() == at.Block() || !reaches(o.Block(), at.Block()) {
		return o.Block() != at.Block() || !inLoop(at.Block())
	}
	avoids := false
	for _, arm := range o.Block().Succs {
		if arm == at.Block() || reachesPast(arm, at.Block(), o.Block()) {
			continue
		}
		avoids = true
		if len(arm.Preds) != 1 || !a.putsAsWell(arm, on) && !returnsArg(arm, c) {
			return false
		}
	}
	return avoids
}

// reachesPast reports whether control can go from one block to another and not through a third.
func reachesPast(from, to, through *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{through: true}
	var walk func(b *ssa.BasicBlock) bool
	walk = func(b *ssa.BasicBlock) bool {
		if b == to {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		for _, s := range b.Succs {
			if walk(s) {
				return true
			}
		}
		return false
	}
	return walk(from)
}

// putsAsWell reports whether a block calls one of the functions that some instructions are in.
func (a *analysis) putsAsWell(b *ssa.BasicBlock, on []ssa.Instruction) bool {
	for _, i := range b.Instrs {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		f := a.calledFunction(c)
		for _, x := range on {
			if f != nil && f == origin(x.Parent()) {
				return true
			}
		}
	}
	return false
}

// returnsArg reports whether a block returns an argument of a call, or a part of it.
func returnsArg(b *ssa.BasicBlock, c *ssa.Call) bool {
	ret, ok := lastInstr(b).(*ssa.Return)
	if !ok {
		return false
	}
	for _, x := range ret.Results {
		x = unboxed(x)
		if s, ok := x.(*ssa.Slice); ok {
			x = s.X
		}
		for _, arg := range c.Call.Args {
			if arg = unboxed(arg); hasPointers(arg.Type()) && (arg == x || oneRead(arg, x, 0)) {
				return true
			}
		}
	}
	return false
}
