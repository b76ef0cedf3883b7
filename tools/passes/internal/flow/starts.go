// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// startFunc follows a call that runs a function in a goroutine, as sync.WaitGroup and
// errgroup.Group do. A call of Wait ends it.
func (a *analysis) startFunc(st *state, i ssa.CallInstruction, f *sym) {
	f = plain(f)
	if fn, _ := f.function(); fn != nil {
		a.start(st, i, callee{fn: f}, nil)
		return
	}
	a.start(st, i, callee{}, []*sym{f})
}

// startsFunc reports whether a function runs another one in a goroutine.
func startsFunc(f *types.Func) bool {
	return effects[funcKey(f)] == eStart || funcKey(f) == "sync.WaitGroup.Go"
}
