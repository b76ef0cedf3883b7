// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A cache that puts what it evicts may not give its users the memory of an element: they have it when the lock is
// given back, and nothing keeps the element from being evicted then. It has to count its users, or to give copies.

// judgeEvictedViews reports functions for callers out of view that return memory which an eviction puts.
func (c *custody) judgeEvictedViews(evictions []*eviction) {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || fn.Parent() != nil || !locksIn(fn) || !token.IsExported(fn.Name()) {
			continue
		}
		for i := range instrsOf(fn) {
			v, ok := i.(ssa.Value)
			if !ok {
				continue
			}
			home, look, _ := c.foundIn(v)
			l, ok := look.(*ssa.Lookup)
			if home == nil || !ok {
				continue
			}
			for _, e := range evictions {
				if e.home != home || e.param >= 0 || e.asks || !e.locks || e.part == nil {
					continue
				}
				at := returnsPart(fn, v, e.part)
				if at == nil || c.marked(fn, v, l, nil) == inUse || takenOut(fn, v, l, nil, home) {
					continue
				}
				c.a.reportFound(finding{
					pattern: returnAlias, pos: instrPos(at), fn: fn, cause: instrPos(e.put),
					message: fmt.Sprintf("the memory of an element of %s is returned, and the lock given back: %s puts what field %s of an element holds (%s), and nothing keeps this one from that", home.Name(), e.fn.Name(), e.part.Name(), c.a.line(instrPos(e.put))),
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(l), Message: "found in " + home.Name() + " here"},
						{Pos: instrPos(e.put), Message: "the Put"},
					},
				})
				break
			}
		}
	}
}

// returnsPart is where a function finds what it returns: the slice that a field of a value holds or leads to, or a part of it.
func returnsPart(fn *ssa.Function, v ssa.Value, part *types.Var) (found ssa.Instruction) {
	same := aliasesOf(v)
	var leads func(x ssa.Value, depth int) bool
	leads = func(x ssa.Value, depth int) bool {
		if depth > 8 {
			return false
		}
		switch x := x.(type) {
		case *ssa.Slice:
			return leads(x.X, depth+1)
		case *ssa.Phi:
			for _, e := range x.Edges {
				if leads(e, depth+1) {
					return true
				}
			}
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			switch at := x.X.(type) {
			case *ssa.FieldAddr:
				if nthField(at.X, at.Field) == part && same[at.X] {
					found = at
				}
				return found != nil
			case *ssa.Alloc:
				for _, r := range referrers(at) {
					if s, ok := r.(*ssa.Store); ok && s.Addr == at && leads(s.Val, depth+1) {
						return true
					}
				}
			case *ssa.UnOp:
				return leads(at, depth+1)
			}
		}
		return false
	}
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		for _, x := range r.Results {
			if isSlice(x.Type()) && leads(x, 0) {
				return found
			}
		}
	}
	return nil
}
