// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// testedBefore reports whether a function on the way to a put compared what it puts with
// nil before, and goes on to the put whatever the outcome: it reckons with nil.
func testedBefore(stack []ssa.Instruction) bool {
	for _, i := range stack {
		c, ok := i.(ssa.CallInstruction)
		if !ok || i.Parent() == nil {
			continue
		}
		for _, v := range c.Common().Args {
			v = unboxed(v)
			if !isPtr(v.Type()) {
				continue
			}
			if nilTestBefore(i, v) {
				return true
			}
		}
	}
	return false
}

// nilTestBefore reports whether a value, or the field that it was loaded from, is
// compared with nil on every way to an instruction.
func nilTestBefore(at ssa.Instruction, v ssa.Value) bool {
	for i := range instrsOf(at.Parent()) {
		c, ok := i.(*ssa.BinOp)
		if !ok || c.Op != token.EQL && c.Op != token.NEQ || !isNilConst(c.Y) || !types.Identical(c.X.Type(), v.Type()) {
			continue
		}
		if (c.X == v || sameField(c.X, v)) && precedes(c, at) {
			return true
		}
	}
	return false
}

// sameField reports whether two values were loaded from one field of one object.
func sameField(x, y ssa.Value) bool {
	field := func(v ssa.Value) *ssa.FieldAddr {
		l, ok := v.(*ssa.UnOp)
		if !ok || l.Op != token.MUL {
			return nil
		}
		fa, _ := l.X.(*ssa.FieldAddr)
		return fa
	}
	a, b := field(x), field(y)
	return a != nil && b != nil && a.X == b.X && a.Field == b.Field
}
