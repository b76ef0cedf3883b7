// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A builder's methods return their receiver. Where such a method is not followed, what it returns is known still.

// givesItself sets the result of a call that was not followed, if it can only be one of the arguments.
func (a *analysis) givesItself(outs []outcome, fn *ssa.Function, args []*sym) {
	if k := givenParam(fn); k >= 0 && k < len(args) {
		for n := range outs {
			outs[n].result = args[k]
		}
	}
}

// givenParam is the number of the parameter that a function with one result returns wherever it returns, or -1.
func givenParam(fn *ssa.Function) int {
	if fn.Signature.Results().Len() != 1 {
		return -1
	}
	k := -1
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		p, ok := r.Results[0].(*ssa.Parameter)
		if !ok {
			return -1
		}
		n := slices.Index(fn.Params, p)
		if k >= 0 && k != n {
			return -1
		}
		k = n
	}
	return k
}
