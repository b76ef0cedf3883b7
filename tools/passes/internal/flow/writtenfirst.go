// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/token"
	"slices"
)

// What is wrong with a pool is reported once, at the first of the places that show it. In a generated file it would not
// be heard: a place that somebody wrote comes first.

// writtenFirst compares positions as [analysis.inOrder] does, those of generated files after all others.
func (a *analysis) writtenFirst(p, q token.Pos) int {
	if a.generated == nil {
		a.generated = make([]int, len(a.pass.Files)+1) // the first one for positions in none of them
		for n, f := range a.pass.Files {
			if Generated(a.pass.Fset, f) {
				a.generated[n+1] = 1
			}
		}
	}
	if !slices.Contains(a.generated, 1) {
		return a.inOrder(p, q)
	}
	return cmp.Or(cmp.Compare(a.generated[a.fileAt(p)+1], a.generated[a.fileAt(q)+1]), a.inOrder(p, q))
}
