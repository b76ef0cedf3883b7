// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that is given a list of pooled values, and makes one of them, puts those that it does not return. Where it
// returns the first for all, having looked at the others, and puts none, the others are lost: whoever called it has let go of
// the list, and is not told which way it took.

// judgeFirstOnly reports such returns.
func (c *custody) judgeFirstOnly() {
	for _, fn := range c.a.fns {
		if !c.a.relevant[fn] || c.a.inTest(fn) || fn.Signature.Results().Len() == 0 {
			continue
		}
		for k, p := range fn.Params {
			if s, ok := p.Type().Underlying().(*types.Slice); ok && hasPointers(s.Elem()) && !(k == 0 && fn.Signature.Recv() != nil) {
				c.firstOnly(fn, k, p)
			}
		}
	}
}

// firstOnly looks at one list that a function is given.
func (c *custody) firstOnly(fn *ssa.Function, k int, p *ssa.Parameter) {
	put := c.putsElements(fn, p)
	if put == nil {
		return
	}
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || !onlyFirst(r, p) || mayFollow(put, r) || !sameOtherwise(r, put) || hasOneOnly(b, p) {
			continue
		}
		read := c.readsOthers(r, p)
		if read == nil || !c.callersLeave(fn, k, 0) {
			continue
		}
		c.a.reportFound(finding{
			pattern: missingPut, pos: instrPos(r), fn: fn,
			message: fmt.Sprintf("the first of %s is returned here, and the others are lost: on another way they are put (%s)", p.Name(), c.a.line(instrPos(put))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(read), Message: "read here"}, {Pos: instrPos(put), Message: "put here on another way"}},
		})
		return
	}
}

// putsElements is where a function puts the elements of a list, one by one.
func (c *custody) putsElements(fn *ssa.Function, p *ssa.Parameter) (put ssa.Instruction) {
	for i := range instrsOf(fn) {
		if _, ok := i.(*ssa.Call); !ok || !inLoop(i.Block()) {
			continue
		}
		for _, v := range c.putBy(i) {
			if ia := elementPut(v, 0); ia != nil && !isConst(ia.Index) && partOfList(ia.X, p) {
				return i
			}
		}
	}
	return nil
}

// partOfList reports whether a slice is a list, or what was cut from it.
func partOfList(v ssa.Value, p *ssa.Parameter) bool {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			return v == ssa.Value(p)
		}
		v = s.X
	}
}

// onlyFirst reports whether a return gives the first element of a list.
func onlyFirst(r *ssa.Return, p *ssa.Parameter) bool {
	return slices.ContainsFunc(r.Results, func(v ssa.Value) bool {
		ia, ok := loaded(v).(*ssa.IndexAddr)
		return ok && ia.X == ssa.Value(p) && isZeroConst(ia.Index)
	})
}

// sameOtherwise reports whether the results of a return, but for those that lead to memory, are constants that some return after a
// put has as well: they do not tell which way was taken.
func sameOtherwise(r *ssa.Return, put ssa.Instruction) bool {
	return slices.ContainsFunc(put.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		o, ok := lastInstr(b).(*ssa.Return)
		if !ok || !mayFollow(put, o) {
			return false
		}
		for n, v := range r.Results {
			if hasPointers(v.Type()) && !isError(v.Type()) {
				continue
			}
			x, isConst := v.(*ssa.Const)
			y, too := o.Results[n].(*ssa.Const)
			if !isConst || !too || (x.Value == nil) != (y.Value == nil) || x.Value != nil && x.Value.ExactString() != y.Value.ExactString() {
				return false
			}
		}
		return true
	})
}

// hasOneOnly reports whether a block stands behind a test of the length of a list that leaves it one element or none.
func hasOneOnly(b *ssa.BasicBlock, p *ssa.Parameter) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		i, ok := lastInstr(d).(*ssa.If)
		if !ok || d.Succs[0] == d.Succs[1] {
			continue
		}
		x, ok := i.Cond.(*ssa.BinOp)
		if !ok || !ordersNumbers(x.Op) {
			continue
		}
		of := func(v ssa.Value) bool {
			call, ok := v.(*ssa.Call)
			return ok && isBuiltin(call, "len") && call.Call.Args[0] == ssa.Value(p)
		}
		limit, ok := x.Y.(*ssa.Const)
		op := x.Op
		if of(x.Y) {
			limit, ok = x.X.(*ssa.Const)
			op = mirrored(op)
		} else if !of(x.X) {
			continue
		}
		if !ok || limit.Value == nil || limit.Value.Kind() != constant.Int {
			continue
		}
		k, _ := constant.Int64Val(limit.Value)
		for n, s := range d.Succs {
			if len(s.Preds) != 1 || !s.Dominates(b) {
				continue
			}
			several := false
			for _, many := range []int64{2, k - 1, k, k + 1} {
				is := constant.Compare(constant.MakeInt64(many), op, constant.MakeInt64(k))
				several = several || many > 1 && is == (n == 0)
			}
			if !several {
				return true
			}
		}
	}
	return false
}

func ordersNumbers(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// readsOthers is where the elements of a list are read in a loop on the way to a return, if that is all that is done with them.
func (c *custody) readsOthers(r *ssa.Return, p *ssa.Parameter) (read ssa.Instruction) {
	onWay := func(i ssa.Instruction) bool { return i.Block() == r.Block() || reaches(i.Block(), r.Block()) }
	d := &droppedSearch{a: c.a, s: c.a.uses().sites, fn: r.Parent(), seen: map[ssa.Value]bool{}}
	var borrowed func(v ssa.Value, depth int) bool
	borrowed = func(v ssa.Value, depth int) bool {
		for _, u := range referrers(v) {
			if !onWay(u) {
				continue
			}
			switch u := u.(type) {
			case *ssa.DebugRef:
			case *ssa.Slice:
				if depth > 3 || !borrowed(u, depth+1) {
					return false
				}
			case *ssa.IndexAddr:
				for _, l := range referrers(u) {
					l, ok := l.(*ssa.UnOp)
					if !ok {
						return false
					}
					for _, e := range referrers(l) {
						if e == ssa.Instruction(r) || !onWay(e) {
							continue
						}
						if o, ok := e.(*ssa.BinOp); ok && !isNilConst(o.X) && !isNilConst(o.Y) || !d.borrows(e, l) {
							return false
						}
						if _, isDebug := e.(*ssa.DebugRef); !isDebug && !isConst(u.Index) && inLoop(e.Block()) && read == nil {
							read = e
						}
					}
				}
			case *ssa.Call:
				if !isBuiltin(u, "len") {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	if !borrowed(p, 0) {
		return nil
	}
	return read
}

// callersLeave reports whether there are calls of a function in view, and all let go of the list that they give it.
func (c *custody) callersLeave(fn *ssa.Function, k int, depth int) bool {
	if depth > 2 {
		return false
	}
	calls := slices.Clone(c.a.callsOf(fn))
	if len(calls) == 0 {
		// It is somebody's variable: any call of a function of its type may be one of it.
		for call := range c.a.productCalls() {
			cc := call.Common()
			if _, builtin := cc.Value.(*ssa.Builtin); !builtin && !cc.IsInvoke() && cc.StaticCallee() == nil && mayBeOfType(cc.Value.Type(), fn.Signature) {
				calls = append(calls, call)
			}
		}
	}
	for _, call := range calls {
		if k >= len(call.Common().Args) || !c.leavesList(call, call.Common().Args[k], depth) {
			return false
		}
	}
	return len(calls) > 0
}

// mayBeOfType reports whether a function is of a type, which may have type parameters or lists of such.
func mayBeOfType(t types.Type, sig *types.Signature) bool {
	of, ok := t.Underlying().(*types.Signature)
	if !ok || of.Params().Len() != sig.Params().Len() || of.Results().Len() != sig.Results().Len() {
		return false
	}
	alike := func(x, y *types.Tuple) bool {
		for k := range x.Len() {
			a, b := x.At(k).Type(), y.At(k).Type()
			if s, ok := a.Underlying().(*types.Slice); ok && isSlice(b) {
				a, b = s.Elem(), b.Underlying().(*types.Slice).Elem()
			}
			if _, open := types.Unalias(a).(*types.TypeParam); !open && !types.Identical(a, b) {
				return false
			}
		}
		return true
	}
	return alike(of.Params(), sig.Params()) && alike(of.Results(), sig.Results())
}

// leavesList reports whether a function made the list that it gives to a call, and does nothing with it after that.
func (c *custody) leavesList(call ssa.CallInstruction, v ssa.Value, depth int) bool {
	if _, ok := call.(*ssa.Call); !ok {
		return false
	}
	same := sameList(v)
	made := map[*ssa.BasicBlock]bool{}
	for x := range same {
		i, ok := x.(ssa.Instruction)
		switch x := x.(type) {
		case *ssa.Parameter:
			if len(same) > 1 || !c.callersLeave(x.Parent(), slices.Index(x.Parent().Params, x), depth+1) {
				return false
			}
		case *ssa.MakeSlice, *ssa.Phi:
		case *ssa.Slice:
			if _, isNew := x.X.(*ssa.Alloc); !isNew {
				return false
			}
		case *ssa.Call:
			if !isBuiltin(x, "append") {
				return false
			}
		default:
			return false
		}
		if ok && i.Block() != call.Block() {
			made[i.Block()] = true
		}
	}
	after := blocksAfter(call.Block(), made)
	for x := range same {
		for _, u := range referrers(x) {
			if u == call {
				continue
			}
			switch u := u.(type) {
			case *ssa.DebugRef, *ssa.Phi:
				continue
			case *ssa.Call:
				if isBuiltin(u, "append") && u.Call.Args[0] == x {
					continue
				}
				if !isBuiltin(u, "len") {
					return false
				}
			case *ssa.IndexAddr, *ssa.Slice:
			default:
				return false
			}
			if after[u.Block()] || u.Block() == call.Block() && precedes(call, u) {
				return false
			}
		}
	}
	return true
}

// blocksAfter are the blocks that can be reached from the end of one, but by way of some.
func blocksAfter(b *ssa.BasicBlock, but map[*ssa.BasicBlock]bool) map[*ssa.BasicBlock]bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		for _, s := range b.Succs {
			if !seen[s] && !but[s] {
				seen[s] = true
				walk(s)
			}
		}
	}
	walk(b)
	return seen
}
