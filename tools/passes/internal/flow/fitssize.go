// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Who puts a slice in the pool that is for its capacity puts nil only if there is a pool for none.

// fitsSize reports whether a Put stands behind a test of the capacity, or the length, of what it is given, against a number
// that is not known.
func fitsSize(put ssa.Instruction) bool {
	c, ok := put.(ssa.CallInstruction)
	if !ok || len(c.Common().Args) == 0 {
		return false
	}
	v := cutSlice(unboxed(lastArg(c.Common())))
	for b := put.Block(); b != nil && b.Idom() != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		i, ok := lastInstr(b.Preds[0]).(*ssa.If)
		if !ok {
			continue
		}
		test, ok := i.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		for _, p := range [][2]ssa.Value{{test.X, test.Y}, {test.Y, test.X}} {
			if _, known := p[1].(*ssa.Const); !known && measuresSlice(p[0], v) && asksForMore(test.Op, b == b.Preds[0].Succs[0], p[0] == test.X) {
				return true
			}
		}
	}
	return false
}

// asksForMore reports whether the arm of a test that is taken, or not, has a measure that is no less than the other number.
func asksForMore(op token.Token, taken, first bool) bool {
	switch op {
	case token.EQL:
		return taken
	case token.NEQ:
		return !taken
	case token.GEQ, token.GTR:
		return taken == first
	case token.LSS, token.LEQ:
		return taken != first
	}
	return false
}

// measuresSlice reports whether a number is the capacity, or the length, of a slice.
func measuresSlice(n, of ssa.Value) bool {
	c, ok := n.(*ssa.Call)
	return ok && (isBuiltin(c, "cap") || isBuiltin(c, "len")) && cutSlice(c.Call.Args[0]) == of
}

// cutSlice is the slice that a value was cut from, or that is in a box.
func cutSlice(v ssa.Value) ssa.Value {
	for range 6 {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
			continue
		case *ssa.Alloc:
			if s := storedOnce(x); s != nil {
				v = s
				continue
			}
		case *ssa.UnOp:
			if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
				v = al
				continue
			}
		}
		return v
	}
	return v
}
