// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A limit on what is kept has to ask for the capacity. Asked of what was just emptied, the
// length is 0, and whatever it is compared with, the answer is always the same.

// ofEmptied reports whether a comparison asks for the length of a buffer that was reset, or a
// slice that was cut to length 0, right before.
func ofEmptied(o *ssa.BinOp) bool { return lengthOfEmptied(o.X) || lengthOfEmptied(o.Y) }

func lengthOfEmptied(v ssa.Value) bool {
	c, ok := unconverted(v).(*ssa.Call)
	if !ok {
		return false
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" && cutToZero(c.Call.Args[0], c)
	}
	f := calledMethod(c)
	if f == nil || f.Name() != "Len" || c.Call.IsInvoke() || len(c.Call.Args) != 1 {
		return false
	}
	switch funcKey(f) {
	case "bytes.Buffer.Len", "strings.Builder.Len":
	default:
		return false
	}
	return resetBefore(c)
}

// resetBefore reports whether the last call before c that is given c's receiver resets it.
func resetBefore(c *ssa.Call) bool {
	recv := c.Call.Args[0]
	for _, i := range straightBefore(c) {
		x, ok := i.Instruction.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if _, isDefer := x.(*ssa.Defer); isDefer {
			continue
		}
		f := calledMethod(x)
		if f == nil || f.Pkg() == nil || f.Pkg().Path() != "bytes" && f.Pkg().Path() != "strings" || f.Signature().Recv() == nil {
			if unrelated(x, recv) {
				continue
			}
			return false // it may write
		}
		if !oneRead(x.Common().Args[0], recv, 0) {
			continue
		}
		switch f.Name() {
		case "Reset":
			return i.sure
		case "Truncate":
			n, ok := x.Common().Args[1].(*ssa.Const)
			return i.sure && ok && n.Value != nil && isZero(n.Value)
		case "Cap", "Len", "Available":
		default:
			return false
		}
	}
	return false
}

// cutToZero reports whether a slice, asked for its length at c, was cut to length 0 before.
func cutToZero(v ssa.Value, c *ssa.Call) bool {
	switch x := v.(type) {
	case *ssa.Slice:
		n, ok := x.High.(*ssa.Const)
		return ok && n.Value != nil && isZero(n.Value)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		for _, i := range straightBefore(x) {
			switch before := i.Instruction.(type) {
			case *ssa.Store:
				if oneAddr(before.Addr, x.X, 0) {
					s, ok := before.Val.(*ssa.Slice)
					return i.sure && ok && cutToZero(s, c)
				}
				if types.Identical(before.Val.Type(), x.Type()) {
					return false // it may be the same
				}
			case ssa.CallInstruction:
				if !unrelated(before, x.X) {
					return false
				}
			}
		}
	}
	return false
}

// oneRead reports whether two values are one, or read from one address.
func oneRead(x, y ssa.Value, depth int) bool {
	if x == y {
		return true
	}
	if depth > 4 {
		return false
	}
	l, ok := x.(*ssa.UnOp)
	m, ok2 := y.(*ssa.UnOp)
	if ok && ok2 && l.Op == token.MUL && m.Op == token.MUL {
		return oneAddr(l.X, m.X, depth+1)
	}
	return oneAddr(x, y, depth)
}

// oneAddr reports whether two addresses are of one variable or field.
func oneAddr(x, y ssa.Value, depth int) bool {
	if x == y {
		return true
	}
	if depth > 4 {
		return false
	}
	f, ok := x.(*ssa.FieldAddr)
	g, ok2 := y.(*ssa.FieldAddr)
	return ok && ok2 && f.Field == g.Field && oneRead(f.X, g.X, depth+1)
}
