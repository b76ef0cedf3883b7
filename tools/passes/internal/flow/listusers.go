// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A list may be one of things to be used once more, of which each has an end of its own: who takes one and does
// not put it back says nothing. Where another takes one and puts it back itself, that is how the list is meant.

// listUsers are the functions that take from a list, and those that put to it.
type listUsers struct {
	takers, putters []*ssa.Function
	asked, puts     bool // whether somebody puts what he took
}

// resultOfTaker reports whether a value is the result of a function that takes from a list.
func (a *analysis) resultOfTaker(v ssa.Value, p *pool) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	c, ok := v.(*ssa.Call)
	if !ok || p.users == nil {
		return false
	}
	fn := a.calledFunction(c)
	return fn != nil && slices.Contains(p.users.takers, fn)
}

// takersPut reports whether a function of the package takes from a list and puts to it what it took.
func (a *analysis) takersPut(p *pool) bool {
	u := p.users
	if u == nil {
		return false
	}
	if !u.asked {
		u.asked = true
		for fn, i := range a.instrs() {
			c, ok := i.(ssa.CallInstruction)
			if !ok || u.puts || a.inTest(fn) {
				continue
			}
			if to := a.calledFunction(c); to != nil && slices.Contains(u.putters, to) {
				u.puts = slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool { return a.resultOfTaker(v, p) })
			}
		}
	}
	return u.puts
}
