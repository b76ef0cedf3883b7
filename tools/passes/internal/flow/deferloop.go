// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Put that is deferred runs when the function returns. In a loop that goes on until somebody stops it,
// each turn takes another value, and none goes back until then.

// judgeDeferredInLoop reports Puts that are deferred in such loops.
func (c *custody) judgeDeferredInLoop() {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				d, ok := i.(*ssa.Defer)
				if !ok {
					continue
				}
				head := endlessAround(b)
				if head == nil {
					continue
				}
				for _, v := range c.deferredPuts(d) {
					take := c.takenInLoop(v, head)
					if take == nil || c.outlivesTurn(v, d) {
						continue
					}
					c.a.reportFound(finding{
						pattern: missingPut, pos: instrPos(d), fn: fn,
						message: fmt.Sprintf("the Put of %s is deferred until %s returns, but each turn of the loop takes another value (%s): none goes back until the loop ends", orElse(c.a.putNameAt(d), "what is taken"), outermost(fn).Name(), c.a.line(instrPos(take))),
						related: []goanalysis.RelatedInformation{{Pos: instrPos(take), Message: "taken here, in each turn"}},
					})
					break
				}
			}
		}
	}
}

// deferredPuts are the values that a deferred call, or the closure that it calls, puts.
func (c *custody) deferredPuts(d *ssa.Defer) []ssa.Value {
	m, ok := d.Call.Value.(*ssa.MakeClosure)
	if !ok {
		return c.putBy(d)
	}
	body := m.Fn.(*ssa.Function)
	var list []ssa.Value
	for i := range instrsOf(body) {
		for _, v := range c.putBy(i) {
			c.back(v, func(x ssa.Value) bool {
				if k := slices.IndexFunc(body.FreeVars, func(f *ssa.FreeVar) bool { return ssa.Value(f) == x }); k >= 0 {
					list = append(list, m.Bindings[k])
				}
				return fieldOfValue(x) == nil
			})
		}
	}
	return list
}

// takenInLoop is where a turn of a loop takes a value from its pool.
func (c *custody) takenInLoop(v ssa.Value, head *ssa.BasicBlock) (take ssa.Instruction) {
	c.back(v, func(x ssa.Value) bool {
		i, ok := x.(ssa.Instruction)
		if ok && take == nil && c.takenBy(x) && inTurnOf(i.Block(), head) {
			take = i
		}
		return take == nil && fieldOfValue(x) == nil
	})
	return take
}

// outlivesTurn reports whether a turn of the loop leaves a value somewhere: until the function
// returns somebody may use it.
func (c *custody) outlivesTurn(v ssa.Value, d *ssa.Defer) bool {
	seen := map[ssa.Value]bool{}
	var kept func(x ssa.Value) bool
	kept = func(x ssa.Value) bool {
		if seen[x] || len(seen) > maxCustody || x.Referrers() == nil {
			return false
		}
		seen[x] = true
		return slices.ContainsFunc(referrers(x), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Val != x {
					return false
				}
				if al, ok := r.Addr.(*ssa.Alloc); ok {
					return kept(al)
				}
				return true
			case *ssa.Send, *ssa.MapUpdate, *ssa.Go, *ssa.Select:
				return true
			case *ssa.MakeClosure:
				return ssa.Value(r) != d.Call.Value
			case *ssa.MakeInterface, *ssa.ChangeType, *ssa.TypeAssert, *ssa.Slice:
				return kept(r.(ssa.Value))
			case *ssa.Phi:
				return !reaches(x.(ssa.Instruction).Block(), r.Block()) || r.Block().Dominates(x.(ssa.Instruction).Block()) || kept(r)
			case *ssa.UnOp:
				return hasPointers(r.Type()) && isVariable(x) && kept(r)
			case *ssa.Call:
				callee := c.a.calledFunction(r)
				for k, arg := range r.Call.Args {
					if arg == x && callee != nil && len(c.keeps[callee][k]) > 0 {
						return true
					}
				}
				return hasPointers(r.Type()) && isBuiltin(r, "append")
			}
			return false
		})
	}
	found := false
	c.back(v, func(x ssa.Value) bool {
		if _, isFree := x.(*ssa.FreeVar); isFree {
			found = true
		}
		if _, ok := x.(ssa.Instruction); ok && x.Referrers() != nil {
			found = found || kept(x)
		}
		return !found && fieldOfValue(x) == nil && !c.takenBy(x)
	})
	return found
}

func isVariable(x ssa.Value) bool {
	_, ok := x.(*ssa.Alloc)
	return ok
}

// inTurnOf reports whether a block is in the loop with a head.
func inTurnOf(b, head *ssa.BasicBlock) bool { return head.Dominates(b) && reaches(b, head) }

// endlessAround is the head of a loop around a block that goes on until something happens: it neither
// counts nor goes through what is there.
func endlessAround(b *ssa.BasicBlock) *ssa.BasicBlock {
	for h := b; h != nil; h = h.Idom() {
		if slices.ContainsFunc(h.Preds, h.Dominates) && inTurnOf(b, h) && !bounded(h) {
			return h
		}
	}
	return nil
}

// bounded reports whether a loop is one over numbers, or over the elements of something.
func bounded(h *ssa.BasicBlock) bool {
	counts := func(b *ssa.BasicBlock) bool {
		i, ok := lastInstr(b).(*ssa.If)
		if !ok || !slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !inTurnOf(s, h) }) {
			return false
		}
		switch x := i.Cond.(type) {
		case *ssa.BinOp:
			return isInteger(x.X.Type()) || isPointerType(x.X.Type())
		case *ssa.Extract:
			_, next := x.Tuple.(*ssa.Next)
			return next
		}
		return false
	}
	if strings.HasPrefix(h.Comment, "rangechan") {
		return false
	}
	return counts(h) || slices.ContainsFunc(h.Preds, func(p *ssa.BasicBlock) bool { return h.Dominates(p) && counts(p) })
}

func isPointerType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
