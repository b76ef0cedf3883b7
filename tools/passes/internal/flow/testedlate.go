// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A Put that is deferred before a buffer is filled happens whatever a test of the buffer's
// length says after that: such a test is no limit on what goes to the pool.

// testsSizeFor is testsSize for a function on the way to a Put: what comes too late for a
// deferred one does not count, nor does what only picks the pool.
func (a *analysis) testsSizeFor(at ssa.Instruction) bool {
	fn := at.Parent()
	if !a.testsSize(fn) {
		return false
	}
	if inLoop(at.Block()) {
		return true
	}
	d, _ := at.(*ssa.Defer)
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			o, ok := i.(*ssa.BinOp)
			if !ok {
				continue
			}
			switch o.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			default:
				continue
			}
			if a.limits(o) && !(d != nil && a.tooLate(o, d)) && !onlyPicks(o, at) {
				return true
			}
		}
		if c, ok := lastInstr(b).(*ssa.If); ok && answersSize(c.Cond) {
			return true
		}
	}
	return false
}

// onlyPicks reports whether a Put follows a comparison whatever it says, and nothing happens
// before it that depends on that but the choice of a value.
func onlyPicks(o *ssa.BinOp, put ssa.Instruction) bool {
	iff, ok := lastInstr(o.Block()).(*ssa.If)
	if !ok || iff.Cond != o || len(referrers(o)) != 1 {
		return false
	}
	for _, b := range o.Block().Succs {
		for n := 0; b != put.Block(); n++ {
			if len(b.Succs) != 1 || n > 3 || len(b.Preds) > 1 {
				return false
			}
			for _, i := range b.Instrs {
				switch i.(type) {
				case *ssa.Store, ssa.CallInstruction, *ssa.Send, *ssa.MapUpdate:
					return false
				}
			}
			b = b.Succs[0]
		}
	}
	return true
}

// tooLate reports whether a comparison is of the length of what a defer puts, where it has
// been filled.
func (a *analysis) tooLate(o *ssa.BinOp, d *ssa.Defer) bool {
	if inLoop(o.Block()) || !precedes(d, o) {
		return false
	}
	for _, x := range []ssa.Value{o.X, o.Y} {
		c, ok := unconverted(x).(*ssa.Call)
		if !ok || sizeCall(c) != "len" {
			continue
		}
		from := c.Call.Args[0]
		for range 4 {
			for _, put := range d.Call.Args {
				if oneRead(unboxed(put), from, 0) {
					return true
				}
			}
			switch y := from.(type) {
			case *ssa.UnOp:
				from = y.X
			case *ssa.FieldAddr:
				from = y.X
			case *ssa.Slice:
				from = y.X
			}
		}
	}
	return false
}
