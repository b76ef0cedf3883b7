// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// maxWork bounds what the steps of one walk cost together. A step is an instruction, and
// most cost little; one that reads a large struct or looks through a large memory costs
// as much as thousands of them. The units are symbols made and cells of memory looked at:
// a count, so that the outcome is the same on every machine.
const maxWork = 8_000_000

// charge counts work of the walk of a root, and ends the walk when it is too much.
func (a *analysis) charge(n int) {
	if !a.walking {
		return // what is concluded after the walks is in proportion to the package
	}
	if a.work += n; a.work > a.workLimit {
		panic(overBudget{})
	}
}

// furtherSteps is how many steps a root may take in a package that has cost little so far.
const furtherSteps = 2 * maxSteps

// mayGoFurther reports whether a root may take more steps than others, as the package has cost
// little so far: in a small one, the function that calls all others is often the one where they meet, if it deals with
// a pool, or calls one that does.
func (a *analysis) mayGoFurther(fn *ssa.Function) bool {
	return !Brief && a.spent < maxPackage/4-maxSteps && a.handles[fn]
}
