// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"maps"

	"golang.org/x/tools/go/ssa"
)

// bigBody is the number of blocks from which on a root may be too big to be followed.
const bigBody = 40

// tooBig reports whether a root has so many paths that it cannot be followed even without
// its callees: with them it could not be either, and each try would cost more than to look.
// It looks only while the package's budget allows of such tries.
func (a *analysis) tooBig(fn *ssa.Function) bool {
	if len(fn.Blocks) < bigBody || a.spent > maxPackage {
		return false
	}
	hidden, unseen := maps.Clone(a.fields0.hidden), maps.Clone(a.fields0.unseen)
	clear(a.refused)
	a.dry = true
	ends := a.try(fn, 0, maxSteps/2, func(st *state) []exit { return a.exec(st, fn, a.params(fn), nil, nil) })
	a.dry = false
	if ends {
		a.fields0.hidden, a.fields0.unseen = hidden, unseen // the walks that follow see more
	}
	return !ends
}
