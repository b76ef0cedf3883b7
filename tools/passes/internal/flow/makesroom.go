// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// measured says what a capacity was tested for.
type measured uint8

const (
	roomInPart measured = iota + 1 // whether what comes fits in memory that a field leads to
	forRoom                        // whether what comes fits
	asLimit                        // whether it is kept, or anything else
)

// makesRoom reports whether a comparison of a size asks whether there is room for what
// comes: in the arm for too little, memory is made. It is no limit on what is kept.
func makesRoom(o *ssa.BinOp) bool {
	x, y := sizeCall(o.X), sizeCall(o.Y)
	if x != "" && y != "" && x != y {
		return true // len(b) == cap(b)
	}
	small := 0 // the arm where the size is the smaller one
	switch o.Op {
	case token.LSS, token.LEQ:
		if x == "" {
			small = 1
		}
	case token.GTR, token.GEQ:
		if x != "" {
			small = 1
		}
	default:
		return false
	}
	if x == "" && y == "" || x != "" && y != "" {
		return false
	}
	for _, r := range *o.Referrers() {
		i, ok := r.(*ssa.If)
		if !ok {
			continue
		}
		arm := i.Block().Succs[small]
		if len(arm.Preds) == 1 && makesMemory(arm) {
			return true
		}
	}
	return false
}

// sizeCall is the name of the builtin, len or cap, whose result a value is.
func sizeCall(v ssa.Value) string {
	c, ok := unconverted(v).(*ssa.Call)
	if !ok {
		return ""
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
		return b.Name()
	}
	return ""
}

// makesMemory reports whether a slice is made or grown in a block.
func makesMemory(b *ssa.BasicBlock) bool {
	for _, i := range b.Instrs {
		switch i := i.(type) {
		case *ssa.MakeSlice:
			return true
		case *ssa.Alloc:
			if i.Comment == "makeslice" {
				return true
			}
		case *ssa.Call:
			if bi, ok := i.Call.Value.(*ssa.Builtin); ok && bi.Name() == "append" {
				return true
			}
			if f := calledMethod(i); f != nil && funcKey(f) == "slices.Grow" {
				return true
			}
		}
	}
	return false
}
