// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A slice that is handed on as soon as it has so many elements is a batch: what is appended one by one
// in a loop makes it no larger than that.

// handedOnFull reports whether what a call of append gives is asked for its length right after, and
// handed on, or cut, where that has come to a number that is no length itself.
func handedOnFull(c *ssa.Call) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(c.Call.Args) != 2 || !fewElements(c.Call.Args[1]) {
		return false
	}
	t, ok := c.Block().Instrs[len(c.Block().Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cmp, ok := t.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	at := storedAt(c)
	now := func(v ssa.Value) bool {
		if v == c {
			return true
		}
		l, ok := v.(*ssa.UnOp)
		return ok && l.Op == token.MUL && at != nil && (l.X == at || sameAddr(l.X, at))
	}
	ofThis := func(v ssa.Value) bool {
		n, ok := v.(*ssa.Call)
		return ok && sizeCall(n) == "len" && now(n.Call.Args[0])
	}
	full := 0
	switch size := ofThis(cmp.X); {
	case !size && !ofThis(cmp.Y) || isSizeCall(cmp.X) && isSizeCall(cmp.Y):
		return false
	case cmp.Op == token.EQL:
	case cmp.Op == token.NEQ:
		full = 1
	case (cmp.Op == token.LSS || cmp.Op == token.LEQ) == size:
		full = 1
	}
	head := c.Block().Succs[full]
	if len(head.Preds) != 1 {
		return false
	}
	base := at
	if fa, ok := at.(*ssa.FieldAddr); ok {
		base = fa.X
	}
	handed := func(v ssa.Value) bool {
		if mi, ok := v.(*ssa.MakeInterface); ok {
			v = mi.X
		}
		return now(v) || base != nil && v == base
	}
	for _, b := range c.Parent().Blocks {
		if !head.Dominates(b) {
			continue
		}
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Send:
				if handed(i.X) {
					return true
				}
			case *ssa.Select:
				for _, s := range i.States {
					if s.Send != nil && handed(s.Send) {
						return true
					}
				}
			case *ssa.Slice:
				if now(i.X) && i.High != nil && isZeroSize(i.High) {
					return true
				}
			case ssa.CallInstruction:
				if _, builtin := i.Common().Value.(*ssa.Builtin); builtin {
					continue
				}
				for _, v := range i.Common().Args {
					if handed(v) {
						return true
					}
				}
			}
		}
	}
	return false
}

// fewElements reports whether the variable arguments of a call are written out.
func fewElements(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	al, ok := s.X.(*ssa.Alloc)
	return ok && al.Comment == "varargs"
}

func isSizeCall(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	return ok && sizeCall(c) != ""
}

// storedAt is the address that a value is stored at in the block that makes it.
func storedAt(v ssa.Value) ssa.Value {
	for _, r := range referrers(v) {
		if s, ok := r.(*ssa.Store); ok && s.Val == v && s.Block() == v.(ssa.Instruction).Block() {
			return s.Addr
		}
	}
	return nil
}
