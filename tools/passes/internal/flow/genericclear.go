// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A generic function that clears a slice of its type parameter does so for all that it is made for.

// clearsForAll reports whether a call of clear stands in a generic function that the package uses for elements of a type.
func (a *analysis) clearsForAll(c *ssa.Call, elem types.Type) bool {
	s, ok := c.Call.Args[0].Type().Underlying().(*types.Slice)
	if !ok || !isTypeParam(s.Elem()) {
		return false
	}
	fn := c.Parent()
	if fn.Signature.RecvTypeParams().Len() > 0 {
		return true // of a generic type
	}
	for _, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if to := c.Common().StaticCallee(); to != nil && to.Origin() == fn && slices.ContainsFunc(to.TypeArgs(), func(t types.Type) bool { return types.Identical(t, elem) }) {
			return true
		}
	}
	return false
}
