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
	whenTaken                      // whether it is large enough, by who took it
	forRoom                        // whether what comes fits
	asLimit                        // whether it is kept, or anything else
)

// makesRoom reports whether a comparison of a size asks whether there is room for what
// comes: in the arm for too little, memory is made. It is no limit on what is kept.
func makesRoom(o *ssa.BinOp) bool {
	if x, y := sizesIn(o); x != "" && y != "" && x != y {
		return true // len(b) == cap(b)
	}
	small, ok := smallArm(o)
	if !ok {
		return false
	}
	for _, r := range referrers(o) {
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

// sizesIn are the sizes that a comparison is between.
func sizesIn(o *ssa.BinOp) (x, y string) {
	a, b := o.X, o.Y
	if d, ok := a.(*ssa.BinOp); ok && d.Op == token.SUB && zeroConst(b) {
		a, b = d.X, d.Y // of n - cap(b) > 0
	}
	return sizeCall(a), sizeCall(b)
}

// smallArm is the successor to which a comparison of a size leads where the size is the smaller one.
func smallArm(o *ssa.BinOp) (arm int, ok bool) {
	x, y := sizesIn(o)
	if (x == "") == (y == "") {
		return 0, false
	}
	switch o.Op {
	case token.LSS, token.LEQ:
		if x == "" {
			arm = 1
		}
	case token.GTR, token.GEQ:
		if x != "" {
			arm = 1
		}
	default:
		return 0, false
	}
	return arm, true
}

// asksEnough reports whether a condition, tested by the function that took t from its pool,
// asks whether t's capacity is less than what is needed.
func asksEnough(c *sym, t *sym, by *ssa.Function) bool {
	if c.kind == kArith && c.idx == int(token.NOT) {
		c = c.a
	}
	return c.kind == kCmp && c.idx == int(token.LSS) && (c.a.kind == kCap || c.a.kind == kLen && asTaken(c.a.a, t)) && by == takenIn(t)
}

// asTaken reports whether a slice is t, or in the box t, as it came from the pool.
func asTaken(x, t *sym) bool { return x == t || x.kind == kLoad && x.a == t }

// tooShort reports whether a comparison of a length asks who took the slice whether what is in it
// will do: where it does not, memory is made.
func tooShort(cond ssa.Value, x *sym) bool {
	o, ok := cond.(*ssa.BinOp)
	if !ok || x.a.kind != kToken && (x.a.kind != kLoad || x.a.a.kind != kToken) {
		return false
	}
	small, ok := smallArm(o)
	if !ok {
		return false
	}
	for _, r := range referrers(o) {
		if i, ok := r.(*ssa.If); ok && makesMemory(i.Block().Succs[small]) {
			return true
		}
	}
	return false
}

// largeEnough reports whether a path found that the capacity of t, which was tested only
// where it was taken, is what is needed.
func largeEnough(st *state, t *sym) bool {
	found := false
	for c, less := range st.truth {
		if !asksEnough(c, t, takenIn(t)) || !passes(c.a.a, t) {
			continue
		}
		if less {
			return false
		}
		found = true
	}
	return found
}

// foundEnough notes the values that a path found to be large enough where it took them: the
// number that they were compared with may be forgotten later.
func (a *analysis) foundEnough(st *state, c *sym) {
	if c.kind == kArith && c.idx == int(token.NOT) {
		c = c.a
	}
	if less, ok := st.truth[c]; !ok || less || c.kind != kCmp || c.a.kind != kCap && c.a.kind != kLen {
		return
	}
	for y := c.a.a; y != nil; y = y.a {
		if y.kind == kToken && st.measured[y] == whenTaken && asksEnough(c, y, st.f.fn) {
			st.truth[a.usedOn(y)] = true
		}
	}
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

// hadRoom reports whether a value whose capacity was tested for what comes went on to be
// used on the path: there was room, or memory was made and stored in it.
func (a *analysis) hadRoom(st *state, t *sym) bool {
	if st.truth[a.usedOn(t)] {
		return true
	}
	if st.measured[t] == asLimit {
		return false
	}
	for addr, v := range st.mem {
		if addr.base() == t && (v.base().kind == kAlloc || v.kind == kAppend && addr != t && inside(addr, t)) {
			return true
		}
	}
	if st.measured[t] == whenTaken {
		return largeEnough(st, t)
	}
	for c, v := range st.truth {
		if c.kind != kCmp || c.b == nil {
			continue
		}
		size := func(x *sym) bool { return x.kind == kCap && passes(x.a, t) }
		// The operator is < or == once a comparison is interned.
		if c.idx == int(token.LSS) && (size(c.a) && !v || size(c.b) && v) {
			return true
		}
	}
	return false
}

// noteAsked sees a test whose answer code out of view gave, when it was told a capacity: what
// has that capacity may be dropped for it.
func (a *analysis) noteAsked(st *state, c *sym, cond ssa.Value) {
	if o, ok := cond.(*ssa.UnOp); ok && o.Op == token.NOT {
		cond = o.X
	}
	call, ok := cond.(*ssa.Call)
	if !ok || c.mentions(func(x *sym) bool { return x.kind == kCap }) {
		return
	}
	for _, arg := range call.Call.Args {
		of, ok := unconverted(arg).(*ssa.Call)
		if !ok {
			continue
		}
		if b, ok := of.Call.Value.(*ssa.Builtin); !ok || b.Name() != "cap" {
			continue
		}
		from := []ssa.Value{of.Call.Args[0]}
		if u, ok := of.Call.Args[0].(*ssa.UnOp); ok {
			from = append(from, u.X) // the box, whatever is in it now
		}
		for _, v := range from {
			for y := a.val(st, v); y != nil; y = y.a {
				if y.kind == kToken || y.kind == kLoad && y.a.kind == kField {
					set(&st.measured, y, max(st.measured[y], asLimit))
				}
			}
		}
	}
}

// measureHolders notes that the capacity of memory which the path made was compared with a limit, for the pooled
// values that have it in a field by then.
func (st *state) measureHolders(made *sym) {
	for addr, v := range st.mem {
		if t := addr.root(); t.kind == kToken && addr.kind == kField && memory(v) == made {
			set(&st.measured, t, max(st.measured[t], asLimit))
		}
	}
}
