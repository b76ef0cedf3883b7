// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// buf, err = fill(buf) loses the value where fill returns nil with its error. Who puts the variable
// then means the value that was in it.

// givesNilFor reports whether a function takes a value from a list, passes it to one that may
// return nil for it, and puts what comes back.
func (a *analysis) givesNilFor(fn *ssa.Function, p *pool) bool {
	u := p.users
	if u == nil {
		return false
	}
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || !slices.Contains(u.putters, a.calledFunction(c)) {
			continue
		}
		for _, v := range c.Call.Args {
			x, ok := v.(*ssa.Extract)
			if !ok {
				continue
			}
			f, ok := x.Tuple.(*ssa.Call)
			if ok && slices.ContainsFunc(f.Call.Args, func(v ssa.Value) bool { return a.resultOfTaker(v, p) }) && returnsNil(a.calledFunction(f), x.Index) {
				return true
			}
		}
	}
	return false
}

// returnsNil reports whether a function returns nil as one of its results.
func returnsNil(fn *ssa.Function, n int) bool {
	if fn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && n < len(r.Results) && isNilConst(r.Results[n]) {
			return true
		}
	}
	return false
}
