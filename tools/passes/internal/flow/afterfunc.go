// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// context.AfterFunc runs a function later, like time.AfterFunc, but what stops it is a
// function as well.

// timerOf names what a function given to an AfterFunc is, as messages do.
func timerOf(after *types.Func) string {
	if after.Pkg().Path() == "context" {
		return endFunc
	}
	return timerFunc
}

// stopped sees a call of a function value: that which context.AfterFunc returned takes
// the function back.
func (a *analysis) stopped(st *state, f *sym) {
	if f == nil || f.kind != kOpaque {
		return
	}
	if c, ok := f.obj.(*ssa.Call); ok {
		if m := calledMethod(c); m != nil && funcKey(m) == "context.AfterFunc" {
			st.gos = slices.DeleteFunc(slices.Clone(st.gos), func(g *spawn) bool { return g.sink == endFunc })
		}
	}
}
