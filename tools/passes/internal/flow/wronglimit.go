// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A test of the capacity before a Put keeps what one large input made grow out of the pool. One that is the wrong way round
// drops what is small, also what New makes, and keeps what is large. Where New makes what passes the test, the pool is one of
// a size class, and the test asks whether the value is of the class.

// wrongLimit is the comparison before a Put that lets pass only what is larger than New makes it, where no other one tells
// whether the value is put.
func (a *analysis) wrongLimit(p *pool, stack []ssa.Instruction) *ssa.BinOp {
	if !ofSync(p) {
		return nil
	}
	made := a.capacityMade(p)
	if made < 0 {
		return nil
	}
	var found *ssa.BinOp
	for k, at := range stack {
		if a.testsSizeFor(stack, k) {
			return nil
		}
		put, ok := at.(*ssa.Call)
		if !ok {
			continue
		}
		for i := range instrsOf(put.Parent()) {
			o, ok := i.(*ssa.BinOp)
			if !ok || !a.limits(o) {
				continue
			}
			if least, ok := leastPut(o, put); ok && least > made {
				found = o
			} else {
				return nil
			}
		}
	}
	return found
}

// leastPut is the capacity that a comparison asks for where a Put comes only after the arm in which there is that much.
func leastPut(o *ssa.BinOp, put ssa.Instruction) (int64, bool) {
	large := largeArm(o)
	iff, ok := lastInstr(o.Block()).(*ssa.If)
	if large < 0 || !ok || iff.Cond != o || len(referrers(o)) != 1 {
		return 0, false
	}
	size, limit := unconverted(o.X), unconverted(o.Y)
	if _, isConst := size.(*ssa.Const); isConst {
		size, limit = limit, size
	}
	c, ok := size.(*ssa.Call)
	n, isConst := limit.(*ssa.Const)
	if !ok || !isConst || n.Value == nil || !asksCapacity(c) {
		return 0, false
	}
	to := func(b *ssa.BasicBlock) bool { return b == put.Block() || reachesPast(b, put.Block(), o.Block()) }
	if !to(o.Block().Succs[large]) || to(o.Block().Succs[1-large]) {
		return 0, false
	}
	return n.Int64(), true
}

// asksCapacity reports whether a call gives a capacity.
func asksCapacity(c *ssa.Call) bool {
	if isBuiltin(c, "cap") {
		return true
	}
	m := calledMethod(c)
	return m != nil && funcKey(m) == "bytes.Buffer.Cap"
}

// capacityMade is the capacity of what New makes; -1 if that is not known.
func (a *analysis) capacityMade(p *pool) int64 {
	most := int64(-1)
	for _, fn := range a.news[p.key] {
		for _, v := range returnedBy(fn) {
			n := capacityOf(unboxed(v), 0)
			if n < 0 {
				return -1
			}
			most = max(most, n)
		}
	}
	return most
}

// capacityOf is the constant capacity that a buffer or slice is made with; -1 if that is not known.
func capacityOf(v ssa.Value, depth int) int64 {
	if depth > 4 {
		return -1
	}
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value == nil && isSlice(x.Type()) {
			return 0
		}
	case *ssa.MakeSlice:
		if n, ok := x.Cap.(*ssa.Const); ok && n.Value != nil {
			return n.Int64()
		}
	case *ssa.Slice:
		if al, ok := x.X.(*ssa.Alloc); ok && x.Low == nil && x.Max == nil {
			if arr, ok := deref(al.Type()).Underlying().(*types.Array); ok {
				return arr.Len()
			}
		}
	case *ssa.Call:
		if m := calledMethod(x); m != nil && funcKey(m) == "bytes.NewBuffer" {
			return capacityOf(x.Call.Args[0], depth+1)
		}
	case *ssa.Alloc:
		t := deref(x.Type())
		if types.TypeString(t, nil) != "bytes.Buffer" && !isSlice(t) {
			return -1
		}
		n := int64(0)
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr != ssa.Value(x) {
					return -1
				}
				if n = capacityOf(r.Val, depth+1); n < 0 {
					return -1
				}
			case *ssa.Return, *ssa.MakeInterface, *ssa.DebugRef:
			case *ssa.UnOp:
				if r.Op != token.MUL {
					return -1
				}
			default:
				return -1
			}
		}
		return n
	}
	return -1
}
