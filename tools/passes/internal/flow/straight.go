// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop with many ways through it has the square of them through two rounds, and its
// function goes over the budget. Such a function is walked once more, with one round of each
// loop and calls followed less far, for the values that it takes itself and loses: what one
// round loses shows in it. What one round leaves to the next does not, so that nothing else
// is concluded.

const straightDepth = 3

// followStraight walks a root that went over the budget, with one round of each loop.
func (a *analysis) followStraight(fn *ssa.Function) {
	if a.walked == fn || a.spentStraight > maxPackage/2 || !a.takes(fn) {
		return
	}
	a.walked = fn
	spent := a.spent
	a.straight = true
	clear(a.refused)
	a.try(fn, straightDepth, maxSteps/2, func(st *state) []exit { return a.exec(st, fn, a.params(fn), nil, nil) })
	a.straight = false
	a.spentStraight += a.spent - spent
	a.spent = spent
}

// takes reports whether a function takes a value from a pool in a loop of its own.
func (a *analysis) takes(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok && a.uses().gets0(a, c) && inLoop(b) {
				return true
			}
		}
	}
	return false
}

// keepLost drops what a straight walk found but values that are lost.
func (a *analysis) keepLost() {
	maps.DeleteFunc(a.pending, func(k findingKey, _ finding) bool { return k.pattern != missingPut })
}

// visitsOf is how often a path may come by a block. On a straight walk that is once,
// but for the head of a loop, so that a path can leave the loop after a round.
func (a *analysis) visitsOf(b *ssa.BasicBlock) uint8 {
	if a.straight && !slices.ContainsFunc(b.Preds, b.Dominates) {
		return 1
	}
	return maxVisits
}
