// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Who gave a value to a goroutine by a call may learn from what the call returned whether the
// goroutine is done with it: from a flag in the answers, say, that the call sets where it did not
// wait. The walk knows errors, but not what is in the elements of a result.

// toldByResult reports whether a Put stands behind a test of what the call returned by which
// the goroutine got the value.
func toldByResult(held, put *event) bool {
	n := 0
	for n < len(held.stack)-1 && n < len(put.stack)-1 && held.stack[n] == put.stack[n] {
		n++
	}
	for ; n < len(held.stack)-1; n++ {
		c, ok := held.stack[n].(*ssa.Call)
		if ok && c.Parent() == put.stack[min(n, len(put.stack)-1)].Parent() {
			return behindTestOf(put.stack[min(n, len(put.stack)-1)].Block(), c)
		}
	}
	return false
}

// behindTestOf reports whether a block is only reached by one way of a test that asks what a
// call returned.
func behindTestOf(b *ssa.BasicBlock, c *ssa.Call) bool {
	for d := b; d.Idom() != nil; d = d.Idom() {
		test, ok := d.Idom().Instrs[len(d.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(d.Preds) != 1 || d.Idom() == c.Block() && !precedes(c, test) {
			continue
		}
		if tellsOf(test.Cond, c, map[ssa.Value]bool{}) {
			return true
		}
	}
	return false
}

// tellsOf reports whether a condition depends on what is in the result of a call: not only
// on its length, or on whether it is nil, unless that is an error of one of several answers.
func tellsOf(cond ssa.Value, c *ssa.Call, seen map[ssa.Value]bool) bool {
	if cond == nil || seen[cond] || len(seen) > maxToldBy {
		return false
	}
	seen[cond] = true
	switch v := cond.(type) {
	case *ssa.BinOp:
		if isNilConst(v.X) || isNilConst(v.Y) {
			return errorWithin(v.X, c) || errorWithin(v.Y, c)
		}
		if loopBound(v) && v.Op == token.LSS {
			return false
		}
		return foundIn(v.X, c, 0) || foundIn(v.Y, c, 0) || tellsOf(v.X, c, seen) || tellsOf(v.Y, c, seen)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return foundIn(v.X, c, 0)
		}
		return tellsOf(v.X, c, seen)
	case *ssa.Phi:
		for k, e := range v.Edges {
			if _, isConst := e.(*ssa.Const); !isConst {
				if tellsOf(e, c, seen) {
					return true
				}
				continue
			}
			for d := v.Block().Preds[k]; d != nil; d = d.Idom() {
				if d != v.Block() && d.Dominates(v.Block()) {
					break
				}
				if p := d.Idom(); p != nil && len(d.Preds) == 1 {
					if test, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok && tellsOf(test.Cond, c, seen) {
						return true
					}
				}
			}
		}
	case *ssa.Call:
		if _, builtin := v.Call.Value.(*ssa.Builtin); builtin {
			return false
		}
		return v != c && slices.ContainsFunc(v.Call.Args, func(x ssa.Value) bool { return foundIn(x, c, 0) })
	case *ssa.Extract:
		return v.Tuple != c && foundIn(v, c, 0) // the results themselves are known where the path knows them
	case *ssa.Field, *ssa.Lookup:
		return foundIn(v, c, 0)
	}
	return false
}

const maxToldBy = 64

// errorWithin reports whether a value is an error that was found in what a call returned: each answer has
// one of its own. That which the call returns itself is known where the path knows it.
func errorWithin(v ssa.Value, c *ssa.Call) bool {
	switch x := v.(type) {
	case *ssa.Field, *ssa.Lookup:
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
	default:
		return false
	}
	return isError(v.Type()) && foundIn(v, c, 0)
}

// foundIn reports whether a value is the result of a call, or was found in it.
func foundIn(v ssa.Value, c *ssa.Call, depth int) bool {
	if depth > 10 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Call:
		return x == c
	case *ssa.Extract:
		return foundIn(x.Tuple, c, depth+1)
	case *ssa.FieldAddr:
		return foundIn(x.X, c, depth+1)
	case *ssa.Field:
		return foundIn(x.X, c, depth+1)
	case *ssa.IndexAddr:
		return foundIn(x.X, c, depth+1)
	case *ssa.Index:
		return foundIn(x.X, c, depth+1)
	case *ssa.Lookup:
		return foundIn(x.X, c, depth+1)
	case *ssa.Next:
		return foundIn(x.Iter, c, depth+1)
	case *ssa.Range:
		return foundIn(x.X, c, depth+1)
	case *ssa.TypeAssert:
		return foundIn(x.X, c, depth+1)
	case *ssa.UnOp:
		return foundIn(x.X, c, depth+1)
	case *ssa.Alloc:
		// A variable for the element of this turn.
		for _, r := range referrers(x) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == x && foundIn(st.Val, c, depth+1) {
				return true
			}
		}
	}
	return false
}
