// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An object may tell by a field that it has ended: nil, where there was a connection. A function that was given nil in the
// first place would find its new object ended. Who never asks whether it was given nil is not called so.

// nothingGiven reports whether a path takes a parameter of its root for nil, that the root itself does not ask for.
func (a *analysis) nothingGiven(st *state) bool {
	return slices.ContainsFunc(a.root.Params, func(p *ssa.Parameter) bool {
		if !types.IsInterface(p.Type()) || isError(p.Type()) || comparedWithNil(p) {
			return false
		}
		for c, v := range st.truth {
			if !v || c.kind != kCmp || c.idx != int(token.EQL) {
				continue
			}
			x, y := c.a, c.b
			if x.kind == kNil {
				x, y = y, x
			}
			if y.kind == kNil && x.kind == kParam && x.obj == any(p) {
				return true
			}
		}
		return false
	})
}
