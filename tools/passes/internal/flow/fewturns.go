// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A loop is followed for two turns, and which element a later turn has is not known. One over the few values that a literal
// lists, or that a call of a variadic function gives, some of them from pools, has a turn for each.

// turnsOf is how many turns a loop that a block is in has, where that is known; 0 where it is not.
func (a *analysis) turnsOf(st *state, b *ssa.BasicBlock) int {
	if n := a.listRounds(b); n > 0 {
		return n
	}
	list := a.rangedList(b)
	if list == nil {
		return 0
	}
	x := st.f.env.get(list)
	if x == nil {
		return 0
	}
	if whole := st.mem[x]; x.kind == kAlloc && whole != nil {
		x = whole // a copy
	}
	n := 0
	switch x = ofArray(x); x.kind {
	case kView:
		n, _ = wholeLen(x)
		x = x.a
	case kAlloc: // an array
		if arr, ok := deref(list.Type()).Underlying().(*types.Array); ok {
			n = int(min(arr.Len(), maxListed+1))
		}
	}
	if n < 2 || n > maxListed {
		return 0
	}
	for k, v := range st.mem {
		if k.kind == kElem && k.a == x && plain(v).base().kind == kToken {
			return n
		}
	}
	return 0
}

// rangedList is the slice that the loop around a block goes over, or the array, or its address; nil where there is none.
func (a *analysis) rangedList(b *ssa.BasicBlock) ssa.Value {
	if v, known := a.ranged[b]; known {
		return v
	}
	if a.ranged == nil {
		a.ranged = map[*ssa.BasicBlock]ssa.Value{}
	}
	var list ssa.Value
	for h := b; h != nil && list == nil; h = h.Idom() {
		if h.Comment != "rangeindex.loop" && h.Comment != "for.loop" || h != b && !reaches(b, h) {
			continue
		}
		t, ok := lastInstr(h).(*ssa.If)
		if !ok {
			continue
		}
		o, ok := t.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		if c, ok := o.Y.(*ssa.Call); ok && isBuiltin(c, "len") {
			if _, isSlice := c.Call.Args[0].Type().Underlying().(*types.Slice); isSlice {
				list = c.Call.Args[0]
			}
		} else if _, ok := o.Y.(*ssa.Const); ok && o.Op == token.LSS {
			list = arrayIn(h)
		}
	}
	a.ranged[b] = list
	return list
}

// arrayIn is the array of which a loop looks at elements, or its address.
func arrayIn(head *ssa.BasicBlock) (list ssa.Value) {
	for _, b := range head.Parent().Blocks {
		if !inLoopOf(b, head) {
			continue
		}
		for _, i := range b.Instrs {
			var x ssa.Value
			switch i := i.(type) {
			case *ssa.IndexAddr:
				x = i.X
			case *ssa.Index:
				x = i.X
			}
			if x == nil {
				continue
			}
			if _, isArray := deref(x.Type()).Underlying().(*types.Array); isArray {
				if list != nil && list != x {
					return nil
				}
				list = x
			}
		}
	}
	return list
}
