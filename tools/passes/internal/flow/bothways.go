// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A comparison of a size is a limit on what a pool keeps where one way on does not put. It is none where
// the value is put the other way as well, or is given to the caller as what it was asked for, and none
// where it comes too late to say anything about the Put.

// noLimit reports whether a comparison, in a function on the way to a Put, is none on what is put at a
// call: on is where the functions on the way go on.
func (a *analysis) noLimit(o *ssa.BinOp, at ssa.Instruction, on []ssa.Instruction) bool {
	c, ok := at.(*ssa.Call)
	iff, isIf := lastInstr(o.Block()).(*ssa.If)
	if !ok || !isIf || iff.Cond != o || len(referrers(o)) != 1 {
		return false
	}
	if !reaches(o.Block(), at.Block()) {
		return true
	}
	avoids, large := false, largeArm(o)
	for k, arm := range o.Block().Succs {
		if arm == at.Block() || reachesPast(arm, at.Block(), o.Block()) {
			continue
		}
		avoids = true
		if large >= 0 && k != large {
			continue // what is large is put
		}
		if len(arm.Preds) != 1 || !a.putsAsWell(arm, on) && !returnsArg(arm, c) {
			return false
		}
	}
	return avoids
}

// largeArm is the arm of a comparison of a size where the size is the larger one; -1 if that is not known.
func largeArm(o *ssa.BinOp) int {
	x, y := sizeOfSome(o.X, 0), sizeOfSome(o.Y, 0)
	if x == y {
		return -1
	}
	arm := 0
	switch o.Op {
	case token.GTR, token.GEQ:
	case token.LSS, token.LEQ:
		arm = 1
	default:
		return -1
	}
	if y {
		arm = 1 - arm
	}
	return arm
}

// joinsAtOnce reports whether the arms of a comparison come together with nothing done in them: it picks a
// pool, or a number.
func joinsAtOnce(o *ssa.BinOp) bool {
	iff, ok := lastInstr(o.Block()).(*ssa.If)
	if !ok || iff.Cond != o || len(referrers(o)) != 1 {
		return false
	}
	ends := [2]*ssa.BasicBlock{}
	for k, b := range iff.Block().Succs {
		for range 3 {
			if len(b.Preds) > 1 || len(b.Succs) != 1 || !doesNothing(b) {
				break
			}
			b = b.Succs[0]
		}
		ends[k] = b
	}
	if ends[0] != ends[1] {
		return false
	}
	for _, i := range ends[0].Instrs {
		if p, ok := i.(*ssa.Phi); ok && !isInteger(p.Type()) && types.TypeString(p.Type(), nil) != "*sync.Pool" {
			return false
		}
	}
	return true
}

// doesNothing reports whether a block changes no memory and gives nobody anything.
func doesNothing(b *ssa.BasicBlock) bool {
	for _, i := range b.Instrs {
		switch i := i.(type) {
		case *ssa.Store, *ssa.Send, *ssa.MapUpdate:
			return false
		case ssa.CallInstruction:
			if i.Common().StaticCallee() == nil || len(i.Common().Args) > 0 {
				return false // what is given nothing may count, or say so
			}
		}
	}
	return true
}

// returnsMeasured reports whether a comparison of a capacity decides on whether the function returns what has it:
// it asks whether that is enough. What is returned because it is not too large is below a limit.
func returnsMeasured(o *ssa.BinOp) bool {
	small, oneSize := smallArm(o)
	for _, x := range []ssa.Value{o.X, o.Y} {
		if sizeCall(x) != "cap" {
			continue
		}
		of := unconverted(x).(*ssa.Call).Call.Args[0]
		for _, r := range referrers(o) {
			i, ok := r.(*ssa.If)
			if !ok {
				continue
			}
			for k, arm := range i.Block().Succs {
				ret, ok := lastInstr(arm).(*ssa.Return)
				if !ok || len(arm.Preds) != 1 || oneSize && k == small {
					continue
				}
				for _, y := range ret.Results {
					if s, ok := y.(*ssa.Slice); ok {
						y = s.X
					}
					if l, ok := of.(*ssa.UnOp); y == of || ok && (y == l.X || oneRead(y, of, 0)) {
						return true
					}
				}
			}
		}
	}
	return false
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
