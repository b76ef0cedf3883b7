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

// A function that gathers values in a list gives them up in a deferred call where it fails. An object that it
// made over the list, and closes on such a way, gives them up as well: each goes twice, and where references are
// counted, one that somebody else has goes with it.

// A listDrain is a loop that gives up each element of a slice.
type listDrain struct {
	call   ssa.CallInstruction
	arg    int       // of the call, the element
	list   ssa.Value // as the loop has it
	header *ssa.BasicBlock
}

// judgeCleanedTwice reports calls that give up what a deferred call gives up again.
func (a *analysis) judgeCleanedTwice() {
	for fn, d := range a.deferredLiterals() {
		for _, last := range a.listDrains(literalOf(d)) {
			l, ok := last.list.(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				continue
			}
			v, ok := a.varAt(l.X).(*ssa.Alloc)
			if !ok || v.Parent() != fn {
				continue
			}
			when, ok := a.runsWhen(last.header)
			if !ok {
				continue
			}
			a.judgeCleanup(fn, d, v, when, last)
		}
	}
}

// judgeCleanup reports the calls in a function that give up what is in a variable where a deferred call does that again.
func (a *analysis) judgeCleanup(fn *ssa.Function, d *ssa.Defer, v, when *ssa.Alloc, last listDrain) {
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || !precedes(d, c) {
			continue
		}
		first := a.drainOfMade(c, v)
		if first == nil || !a.failsAfter(c, v, when) {
			continue
		}
		a.reportFound(finding{
			pattern: doublePut, pos: instrPos(c), fn: fn, cause: instrPos(last.call),
			message: fmt.Sprintf("%s gives up each element of %s (%s), and so does the deferred call again where this fails (%s)", nameOfCalled(c), v.Comment, a.line(instrPos(first.call)), a.line(instrPos(last.call))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(first.call), Message: "given up here"},
				{Pos: instrPos(last.call), Message: "and here again, in the deferred call"},
			},
		})
	}
}

// listDrains are the loops of a function that give up each element of a slice, whatever it is.
func (a *analysis) listDrains(fn *ssa.Function) (list []listDrain) {
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || !inLoop(c.Block()) {
			continue
		}
		for n, x := range c.Call.Args {
			l, ok := unboxed(x).(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				continue
			}
			ia, ok := l.X.(*ssa.IndexAddr)
			if !ok || !isSlice(ia.X.Type()) {
				continue
			}
			h := headerOf(ia)
			if h == nil || !everyRoundBy(h, c.Block()) || changesElements(fn, ia.X) {
				continue
			}
			if slices.Contains(a.uses().putArgs(a, c), n) || a.givesUpAlways(a.calledFunction(c), n, 0) {
				list = append(list, listDrain{c, n, ia.X, h})
			}
		}
	}
	return list
}

// everyRoundBy reports whether each round of a loop comes by a block.
func everyRoundBy(header, b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(header.Preds, func(p *ssa.BasicBlock) bool {
		return header.Dominates(p) && p != b && !b.Dominates(p)
	})
}

// givesUpAlways reports whether a function puts its n-th parameter or what that has in a field, or counts a reference
// of theirs down, each time that it is called.
func (a *analysis) givesUpAlways(fn *ssa.Function, n, depth int) bool {
	if fn == nil || depth > 4 || n >= len(fn.Params) || len(fn.Blocks) == 0 || !a.inPackage(fn) {
		return false
	}
	p := fn.Params[n]
	own := func(v ssa.Value) bool {
		for range 4 {
			if v == ssa.Value(p) {
				return true
			}
			_, of := fieldLoad(v)
			if of == nil {
				return false
			}
			v = of
		}
		return false
	}
	found := false
	for i := range instrsOf(fn) {
		if st, ok := i.(*ssa.Store); ok {
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && own(fa.X) {
				if _, f, by := countStep(i); f == nil || by == 0 {
					return false // the next call may find that it was called
				}
			}
		}
		c, ok := i.(ssa.CallInstruction)
		if !ok || !runsOnReturn(c) {
			continue
		}
		if of, f, by := countStep(i); f != nil && by == -1 && own(of) && a.relevant[fn] {
			found = true
			continue
		}
		for k, x := range c.Common().Args {
			if own(unboxed(x)) && (slices.Contains(a.uses().putArgs(a, c), k) || a.givesUpAlways(a.calledFunction(c), k, depth+1)) {
				found = true
			}
		}
	}
	return found
}

// runsOnReturn reports whether a function that returns, without a panic, has executed an instruction.
func runsOnReturn(i ssa.Instruction) bool {
	fn := i.Parent()
	return !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		_, isReturn := lastInstr(b).(*ssa.Return)
		return isReturn && b != fn.Recover && b != i.Block() && !i.Block().Dominates(b)
	})
}

// runsWhen is the variable that a literal asks for an error before it comes to a loop, nil where it asks nothing.
func (a *analysis) runsWhen(header *ssa.BasicBlock) (when *ssa.Alloc, ok bool) {
	for b := header; b.Idom() != nil; b = b.Idom() {
		t, isIf := lastInstr(b.Idom()).(*ssa.If)
		if !isIf {
			continue
		}
		o, isTest := t.Cond.(*ssa.BinOp)
		if !isTest || when != nil || !isNilConst(o.Y) || !isError(o.X.Type()) {
			return nil, false
		}
		arm := t.Block().Succs[0]
		if o.Op == token.EQL {
			arm = t.Block().Succs[1]
		}
		l, isLoad := o.X.(*ssa.UnOp)
		if arm != b && !arm.Dominates(b) || !isLoad || l.Op != token.MUL {
			return nil, false
		}
		if when, ok = a.varAt(l.X).(*ssa.Alloc); !ok {
			return nil, false
		}
	}
	return when, true
}

// drainOfMade is the loop by which a method gives up each element of the list in a field of its receiver, say, where that
// was made with what is in a variable.
func (a *analysis) drainOfMade(c *ssa.Call, v *ssa.Alloc) *listDrain {
	callee := a.calledFunction(c)
	if callee == nil || c.Call.IsInvoke() {
		return nil
	}
	for n, x := range c.Call.Args {
		if n >= len(callee.Params) || pointee(x.Type()) == nil {
			continue
		}
		for _, d := range a.listDrains(callee) {
			f, owner := fieldLoad(d.list)
			if f == nil || owner != ssa.Value(callee.Params[n]) || !a.madeOver(x, f, v, c) {
				continue
			}
			if _, ok := a.runsWhen(d.header); ok && runsOnReturn(lastInstr(d.header)) && !a.setsField(callee, owner, f, 0) {
				return &d
			}
		}
	}
	return nil
}

// madeOver reports whether a field of an object was set to what is in a variable, and the variable has that when a call is made.
func (a *analysis) madeOver(x ssa.Value, f *types.Var, v *ssa.Alloc, c *ssa.Call) bool {
	fn := v.Parent()
	set := false
	eachStore(fn, func(s *ssa.Store) {
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != f || !isLoadOf(s.Val, v) || !precedes(s, c) {
			return
		}
		if fa.X == x || a.heldFrom(x, fa.X, c) {
			set = !setBetween(s, c, v)
		}
	})
	return set
}

// heldFrom reports whether a value was read from a variable that was set to an object before a call, and to no other since.
func (a *analysis) heldFrom(x, obj ssa.Value, c *ssa.Call) bool {
	l, ok := x.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	in := a.varAt(l.X)
	if in == nil {
		return false
	}
	for _, r := range referrers(in) {
		if s, ok := r.(*ssa.Store); ok && s.Addr == in && s.Val == obj && precedes(s, c) {
			al, ok := in.(*ssa.Alloc)
			return ok && !setBetween(s, c, al)
		}
	}
	return false
}

func isLoadOf(x ssa.Value, v *ssa.Alloc) bool {
	l, ok := x.(*ssa.UnOp)
	return ok && l.Op == token.MUL && l.X == ssa.Value(v)
}

// setBetween reports whether a variable may be set after one instruction and before another.
func setBetween(from, to ssa.Instruction, v *ssa.Alloc) bool {
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		s, ok := r.(*ssa.Store)
		return ok && r != from && s.Addr == ssa.Value(v) && mayFollow(from, s) && mayFollow(s, to)
	})
}

// failsAfter reports whether a way from a call to a return leaves an error in a variable, and another one as it is.
func (a *analysis) failsAfter(c *ssa.Call, list, when *ssa.Alloc) bool {
	type point struct {
		b      *ssa.BasicBlock
		failed bool
	}
	seen := map[point]bool{}
	var walk func(p point, at int) bool
	walk = func(p point, at int) bool {
		for _, i := range p.b.Instrs[at:] {
			switch i := i.(type) {
			case *ssa.Store:
				if i.Addr == ssa.Value(list) {
					return false
				}
				if when != nil && i.Addr == ssa.Value(when) && !isLoadOf(i.Val, when) {
					p.failed = a.surelyError(i.Val, i.Block(), 0)
				}
			case *ssa.Return:
				return p.failed
			}
		}
		for _, s := range p.b.Succs {
			if next := (point{s, p.failed}); !seen[next] {
				seen[next] = true
				if walk(next, 0) {
					return true
				}
			}
		}
		return false
	}
	return walk(point{c.Block(), when == nil || a.foundFailed(c, when)}, slices.Index(c.Block().Instrs, ssa.Instruction(c))+1)
}

// foundFailed reports whether a variable was found to have an error before a call, and was not set since.
func (a *analysis) foundFailed(c *ssa.Call, when *ssa.Alloc) bool {
	return slices.ContainsFunc(loadsOf(when), func(l ssa.Value) bool {
		return a.surelyError(l, c.Block(), 0) && !setBetween(l.(*ssa.UnOp), c, when)
	})
}
