// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// The method that empties the values of a pool may be for their users to call, when they destroy what is in them, rather than
// for those that take and put them. A function that takes one, has it filled and puts it when that failed does not call it:
// what was filled by then is the next user's.

// A roundTrip is what a function does with a value that it takes.
type roundTrip struct{ filled, put ssa.CallInstruction }

// usersResets are the methods of a type that empty its values and that somebody in the package calls.
func (f *forgotten) usersResets(t *types.Named) (list []*ssa.Function) {
	for _, fn := range f.a.fns {
		if len(f.callers[fn]) > 0 && f.ownReset(fn) && types.Identical(fn.Signature.Recv().Type(), types.NewPointer(t)) {
			list = append(list, fn)
		}
	}
	return list
}

// roundWithout finds a function that takes a value of the type, calls what fills it and then what puts it, and calls none of the methods that
// empty it; nil if there is none.
func (f *forgotten) roundWithout(t *types.Named, g *gathering, resets []*ssa.Function) *roundTrip {
	at := func(list []poolSite) func(*ssa.Function) bool {
		return func(fn *ssa.Function) bool {
			return slices.ContainsFunc(list, func(p poolSite) bool { return p.typ == t && p.fn == fn })
		}
	}
	fills := func(fn *ssa.Function) bool {
		return slices.ContainsFunc(g.grown, func(i ssa.Instruction) bool { return i.Parent() == fn })
	}
	for _, fn := range f.a.fns {
		if f.a.inTest(fn) || slices.ContainsFunc(resets, func(r *ssa.Function) bool { return f.a.reachesCall(fn, r, 0) }) {
			continue
		}
		var taken, filled ssa.CallInstruction
		for i := range instrsOf(fn) {
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			to := f.a.calledFunction(c)
			if to == nil {
				if m := calledMethod(c); taken == nil && m != nil && funcKey(m) == "sync.Pool.Get" && at(f.gets)(fn) {
					taken = c
				}
				continue
			}
			switch {
			case taken == nil && f.leadsTo(to, at(f.gets), 0):
				taken = c
			case taken != nil && filled == nil && f.leadsTo(to, fills, 0) && precedesOrLeads(taken, c):
				filled = c
			case filled != nil && f.leadsTo(to, at(f.puts), 0) && precedesOrLeads(filled, c):
				return &roundTrip{filled, c}
			}
		}
	}
	return nil
}

// leadsTo reports whether a function is one of some, or calls one.
func (f *forgotten) leadsTo(fn *ssa.Function, is func(*ssa.Function) bool, depth int) bool {
	if is(fn) {
		return true
	}
	if depth > 2 || !f.a.inPackage(fn) {
		return false
	}
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Call); ok {
			if to := f.a.calledFunction(c); to != nil && f.leadsTo(to, is, depth+1) {
				return true
			}
		}
	}
	return false
}

// precedesOrLeads reports whether a path goes from one call to the other.
func precedesOrLeads(x, y ssa.CallInstruction) bool {
	if x.Block() == y.Block() {
		return precedes(x, y)
	}
	return reaches(x.Block(), y.Block())
}
