// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Who finds a list empty and waits for another one to put something there, as no more are made than
// there may be, waits for good when all were lost. So what is dropped has to be counted out.

// waitsForOne reports whether a function that takes an element off a list waits where there is none.
func waitsForOne(take *ssa.UnOp) bool {
	for _, b := range take.Parent().Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok && funcKey(calledMethod(c)) == "sync.Cond.Wait" && reaches(b, take.Block()) {
				return true
			}
		}
	}
	return false
}

// countedOut reports whether a path set a number beside the list that a value was taken from,
// elsewhere than where it took it: another one may be made for it.
func countedOut(st *state, t *sym) bool {
	if t.pool == nil || t.pool.api != "slice" || !t.pool.scarce {
		return false
	}
	list, ok := t.pool.key.(*types.Var)
	if !ok {
		return false
	}
	taker := takenIn(t)
	for addr, ev := range st.stores {
		f, ok := addr.obj.(*types.Var)
		if !ok || addr.kind != kField || !isInteger(f.Type()) || ev.fn == taker {
			continue
		}
		if s := structOf(addr.a.typ); s != nil && hasField(s, list) {
			return true
		}
	}
	return false
}
