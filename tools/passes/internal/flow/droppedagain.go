// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A loop over a list gives up some of its elements, and gathers the others in another list. Whoever goes over
// the first list again to give up what is left uses elements that may be in the pool by then.

// An elementDrop is a call in a loop over a list that gives up the element.
type elementDrop struct {
	call   *ssa.Call
	callee *ssa.Function
	elem   *ssa.UnOp
	list   ssa.Value
	header *ssa.BasicBlock
}

// judgeDroppedAgain reports such second loops.
func (a *analysis) judgeDroppedAgain() {
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		drops := a.elementDrops(fn)
		for _, first := range drops {
			k := slices.IndexFunc(drops, func(d elementDrop) bool {
				return d.list == first.list && d.callee == first.callee && d.header != first.header && first.header.Dominates(d.header) && !d.header.Dominates(first.header) && loopLeft(first.header, d.header)
			})
			if k < 0 || !first.gathersOthers() || slices.ContainsFunc(drops, func(d elementDrop) bool { return d.list == first.list && d.callee != first.callee }) {
				continue
			}
			second := drops[k]
			if changesElements(fn, first.list) || second.asksList() || toldBetween(first.header, second.header) {
				continue
			}
			use := second.firstUse()
			a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(use), fn: fn,
				message: fmt.Sprintf("this goes over all elements again, also over those that %s gave up before (%s), which may be in the pool by then; go over those that were gathered", first.callee.Name(), a.line(instrPos(first.call))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(first.call), Message: "given up here"}, {Pos: instrPos(second.call), Message: "and here again"}},
			})
			break
		}
	}
}

// elementDrops are the calls in loops over slices that may put the element.
func (a *analysis) elementDrops(fn *ssa.Function) (list []elementDrop) {
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || c.Call.IsInvoke() || !inLoop(c.Block()) {
			continue
		}
		callee := a.calledFunction(c)
		if callee == nil || !a.inPackage(callee) || len(callee.Blocks) == 0 {
			continue
		}
		for n, x := range c.Call.Args {
			l, ok := x.(*ssa.UnOp)
			if !ok || l.Op != token.MUL || !isPtr(l.Type()) {
				continue
			}
			ia, ok := l.X.(*ssa.IndexAddr)
			if !ok || !isSlice(ia.X.Type()) {
				continue
			}
			h := headerOf(ia)
			if h == nil || !a.mayPutParam(callee, n, 0) {
				continue
			}
			list = append(list, elementDrop{c, callee, l, ia.X, h})
		}
	}
	return list
}

// headerOf is the head of the loop whose counter an element is found by.
func headerOf(ia *ssa.IndexAddr) *ssa.BasicBlock {
	x := ia.Index
	if o, ok := x.(*ssa.BinOp); ok && o.Op == token.ADD {
		x = o.X
	}
	p, ok := x.(*ssa.Phi)
	if !ok || !inLoop(p.Block()) {
		return nil
	}
	return p.Block()
}

// mayPutParam reports whether a function puts its n-th parameter, itself or by a function that it gives it to.
func (a *analysis) mayPutParam(fn *ssa.Function, n, depth int) bool {
	if depth > 4 || n >= len(fn.Params) || !isPtr(fn.Params[n].Type()) {
		return false
	}
	p := fn.Params[n]
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || c.Call.IsInvoke() {
			continue
		}
		for k, x := range c.Call.Args {
			if unboxed(x) != ssa.Value(p) {
				continue
			}
			if slices.Contains(a.uses().putArgs(a, c), k) {
				return true
			}
			if callee := a.calledFunction(c); callee != nil {
				if a.inPackage(callee) && len(callee.Blocks) > 0 && a.mayPutParam(callee, k, depth+1) {
					return true
				}
				continue
			}
			for _, f := range a.funcsOf(c.Call.Value) {
				callee, k := f.fn, k
				if isBound(callee) {
					if obj, ok := callee.Object().(*types.Func); ok {
						callee, k = a.prog.FuncValue(obj), k+1
					}
				}
				if callee != nil && a.inPackage(callee) && len(callee.Blocks) > 0 && a.mayPutParam(callee, k, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// loopLeft reports whether control can go from the loop of one head to another head without coming back to the first.
func loopLeft(first, second *ssa.BasicBlock) bool {
	if !reaches(first, second) {
		return false
	}
	// Not within the first loop.
	seen := map[*ssa.BasicBlock]bool{first: true}
	var back func(b *ssa.BasicBlock) bool
	back = func(b *ssa.BasicBlock) bool {
		for _, s := range b.Succs {
			if s == first {
				return !reentered(first, b)
			}
			if !seen[s] {
				seen[s] = true
				if back(s) {
					return true
				}
			}
		}
		return false
	}
	return !back(second)
}

// reentered reports whether an edge to the head of a loop begins the loop anew.
func reentered(head, from *ssa.BasicBlock) bool { return !head.Dominates(from) }

// gathersOthers reports whether another way round the loop appends the element to another list and does not
// give it up.
func (d elementDrop) gathersOthers() bool {
	for i := range instrsOf(d.call.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || !d.header.Dominates(c.Block()) || !reaches(c.Block(), d.header) {
			continue
		}
		b, ok := c.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "append" || len(c.Call.Args) != 2 || cameFrom(c.Call.Args[0], d.list, 0) {
			continue
		}
		if !d.stored(c.Call.Args[1]) {
			continue
		}
		// The call is on neither way.
		if !precedes(d.call, c) && !precedes(c, d.call) && !reachesBlock(d.call.Block(), c.Block(), map[*ssa.BasicBlock]bool{d.header: true}) && !reachesBlock(c.Block(), d.call.Block(), map[*ssa.BasicBlock]bool{d.header: true}) {
			return true
		}
	}
	return false
}

// stored reports whether the element is what append is given.
func (d elementDrop) stored(args ssa.Value) bool {
	s, ok := args.(*ssa.Slice)
	if !ok {
		return false
	}
	for _, r := range referrers(s.X) {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, q := range referrers(ia) {
			if st, ok := q.(*ssa.Store); ok && st.Addr == ia && sameElement(st.Val, d.elem) {
				return true
			}
		}
	}
	return false
}

// sameElement reports whether two values were read from one element of a slice.
func sameElement(x ssa.Value, of *ssa.UnOp) bool {
	if x == ssa.Value(of) {
		return true
	}
	l, ok := x.(*ssa.UnOp)
	if !ok {
		return false
	}
	i, ok := l.X.(*ssa.IndexAddr)
	j := of.X.(*ssa.IndexAddr)
	return ok && i.X == j.X && i.Index == j.Index
}

// changesElements reports whether a function sets elements of a list.
func changesElements(fn *ssa.Function, list ssa.Value) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if ia, ok := i.Addr.(*ssa.IndexAddr); ok && cameFrom(ia.X, list, 0) {
				return true
			}
		case *ssa.Call:
			if b, ok := i.Call.Value.(*ssa.Builtin); ok && (b.Name() == "clear" || b.Name() == "append" || b.Name() == "copy") && cameFrom(i.Call.Args[0], list, 0) {
				return true
			}
		}
	}
	return false
}

// asksList reports whether the loop asks something else than the element before it gives that up, as a list of those
// that were given up.
func (d elementDrop) asksList() bool {
	for b := d.call.Block(); b != nil && b != d.header; b = b.Idom() {
		t, ok := lastInstr(b).(*ssa.If)
		if !ok || b == d.call.Block() || !d.ofElement(t.Cond, 0) {
			if ok && b != d.call.Block() {
				return true
			}
		}
	}
	return false
}

// toldBetween reports whether a test on the way from one loop to another asks what the first one counted or noted, or
// whether two lists are of one length: the second may run only where nothing was given up.
func toldBetween(first, second *ssa.BasicBlock) bool {
	noted := func(v ssa.Value) bool {
		if n, ok := v.(*ssa.UnOp); ok && n.Op == token.NOT {
			v = n.X
		}
		p, ok := v.(*ssa.Phi)
		return ok && (isBool(p.Type()) || isInteger(p.Type())) && (p.Block() == first || first.Dominates(p.Block()))
	}
	for b := second.Idom(); b != nil && b != first; b = b.Idom() {
		t, ok := lastInstr(b).(*ssa.If)
		if !ok {
			continue
		}
		if o, ok := t.Cond.(*ssa.BinOp); ok {
			_, fixed := o.Y.(*ssa.Const)
			if noted(o.X) || noted(o.Y) || asksLength(o.X) && !fixed {
				return true
			}
		}
		if noted(t.Cond) {
			return true
		}
	}
	return false
}

func asksLength(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	return ok && isBuiltin(c, "len")
}

// ofElement reports whether a value was worked out from the element.
func (d elementDrop) ofElement(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	if sameElement(v, d.elem) {
		return true
	}
	i, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	if l, ok := v.(*ssa.Lookup); ok && d.ofElement(l.Index, depth+1) {
		return false
	}
	var rands []*ssa.Value
	for _, r := range i.Operands(rands) {
		if *r != nil && d.ofElement(*r, depth+1) {
			return true
		}
	}
	return false
}

// firstUse is the first use of the element in the second loop.
func (d elementDrop) firstUse() ssa.Instruction {
	var first ssa.Instruction = d.call
	for i := range instrsOf(d.call.Parent()) {
		l, ok := i.(*ssa.UnOp)
		if !ok || !sameElement(l, d.elem) {
			continue
		}
		for _, r := range referrers(l) {
			switch r.(type) {
			case *ssa.FieldAddr, *ssa.Call:
				if p := instrPos(r); p.IsValid() && p < instrPos(first) {
					first = r
				}
			}
		}
	}
	return first
}
