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

// A slot of a ring or a table that is not nil has something in it, for those that put what
// they find there. A function that gives an element to its caller to be put and does not clear
// the slot has it put twice.

// judgeSlots reports such functions.
func (h *homes2) judgeSlots() {
	c := h.c
	for _, second := range h.takes {
		if !slotOf(second.elem) || !testedForNil(second.elem, second.put) {
			continue
		}
		for _, first := range h.takes {
			if first.home != second.home || first.fn == second.fn || first.whole || !slotOf(first.elem) || h.setsElements(first.fn, second.home) || countsFor(first.fn, first.elem.Type(), 0) ||
				slices.ContainsFunc(c.a.callsOf(first.fn), func(call ssa.CallInstruction) bool {
					return h.setsElements(call.Parent(), second.home) && call.Parent() != second.fn
				}) {
				continue
			}
			h.reportSlot(second, first.fn, foundAt(first.elem), first.fn, first.put)
		}
		for _, fn := range c.a.fns {
			if fn == second.fn || c.a.inTest(fn) {
				continue
			}
			var left ssa.Value
			for _, v := range returnedBy(fn) {
				if home, whole := h.takenFrom(v, 1); home == second.home && !whole && slotOf(v) {
					left = v
				}
			}
			if left == nil || h.setsElements(fn, second.home) || countsFor(fn, left.Type(), 0) {
				continue
			}
			for _, call := range c.a.callsOf(fn) {
				user := call.Parent()
				v, ok := call.(*ssa.Call)
				if !ok || user == second.fn || c.a.inTest(user) || h.setsElements(user, second.home) {
					continue
				}
				if put := h.putOf(user, v); put != nil {
					h.reportSlot(second, fn, foundAt(left), user, put)
					break
				}
			}
		}
	}
}

// countsFor reports whether a function, or one of those that it calls, counts a number in an object of a type up: who is
// given the object has a reference of its own.
func countsFor(fn *ssa.Function, t types.Type, depth int) bool {
	for i := range instrsOf(fn) {
		if of, _, by := countStep(i); by > 0 && of != nil && types.Identical(of.Type(), t) {
			return true
		}
		if c, ok := i.(*ssa.Call); ok && depth < 2 {
			if g := c.Call.StaticCallee(); g != nil && g.Pkg == fn.Pkg && slices.ContainsFunc(g.Params, func(p *ssa.Parameter) bool { return types.Identical(p.Type(), t) }) && countsFor(g, t, depth+1) {
				return true
			}
		}
	}
	return false
}

// reportSlot reports a second Put of what a function took and left in its slot.
func (h *homes2) reportSlot(second homeTake, taker *ssa.Function, taken token.Pos, user *ssa.Function, put ssa.Instruction) {
	a := h.c.a
	leaves := taker.Name() + " leaves what it takes in " + second.home.Name() + ", and "
	if taker != user {
		leaves += user.Name() + " "
	}
	a.reportFound(finding{
		pattern: doublePut, pos: instrPos(second.put), fn: second.fn, cause: instrPos(second.put),
		message: fmt.Sprintf("%sputs it (%s): what is not nil there is put a second time here", leaves, a.line(instrPos(put))),
		related: []goanalysis.RelatedInformation{
			{Pos: taken, Message: "taken here, and left in its slot"},
			{Pos: instrPos(put), Message: "the first Put"},
		},
	})
}

// slotOf reports whether a value is an element of a slice or array.
func slotOf(v ssa.Value) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	_, ok = l.X.(*ssa.IndexAddr)
	return ok
}

// testedForNil reports whether an instruction runs only where an element was compared with nil.
func testedForNil(v ssa.Value, i ssa.Instruction) bool {
	at := v.(*ssa.UnOp).X.(*ssa.IndexAddr)
	for b := i.Block().Idom(); b != nil; b = b.Idom() {
		t, ok := lastInstr(b).(*ssa.If)
		if !ok {
			continue
		}
		o, ok := t.Cond.(*ssa.BinOp)
		if !ok || !isNilConst(o.Y) {
			continue
		}
		if o.X == v {
			return true
		}
		if l, ok := o.X.(*ssa.UnOp); ok {
			if e, ok := l.X.(*ssa.IndexAddr); ok && e.Index == at.Index && (e.X == at.X || sameOwner(e.X, at.X) || sameFieldAddr(e.X, at.X)) {
				return true
			}
		}
	}
	return false
}

// sameFieldAddr reports whether two values are addresses of one field.
func sameFieldAddr(x, y ssa.Value) bool {
	f, ok := x.(*ssa.FieldAddr)
	g, ok2 := y.(*ssa.FieldAddr)
	return ok && ok2 && f.X == g.X && f.Field == g.Field
}

// setsElements reports whether a function, or one that it calls, stores to elements of a
// container, or to the container.
func (h *homes2) setsElements(fn *ssa.Function, home *types.Var) bool {
	for g := range h.c.reaches(fn) {
		found := false
		eachStore(g, func(i *ssa.Store) {
			found = found || shelfVar(h.c.a.pkg.Pkg, i.Addr) == home
		})
		if found {
			return true
		}
		for i := range instrsOf(g) {
			if call, ok := i.(*ssa.Call); ok && (isBuiltin(call, "clear") || isBuiltin(call, "copy")) && shelfVar(h.c.a.pkg.Pkg, call.Call.Args[0]) == home {
				return true
			}
		}
	}
	return false
}

// putOf is where a function puts a value.
func (h *homes2) putOf(fn *ssa.Function, v ssa.Value) ssa.Instruction {
	same := aliasesOf(v)
	for i := range instrsOf(fn) {
		if slices.ContainsFunc(h.putBy(i), func(x ssa.Value) bool { return same[unboxed(x)] }) {
			return i
		}
	}
	return nil
}
