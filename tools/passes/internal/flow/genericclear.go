// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A generic function that clears a slice of its type parameter does so for all that it is made for.

// clearsForAll reports whether a call of clear stands in a generic function that the package uses for elements of a type.
func (a *analysis) clearsForAll(c *ssa.Call, elem types.Type) bool {
	s, ok := c.Call.Args[0].Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	p, ok := types.Unalias(s.Elem()).(*types.TypeParam)
	if !ok {
		return false
	}
	if c.Parent().Signature.RecvTypeParams().Len() > 0 {
		return true // of a generic type
	}
	for _, i := range a.instrs() {
		if arg := argumentFor(p, i); arg != nil && types.Identical(arg, elem) {
			return true
		}
	}
	return false
}
