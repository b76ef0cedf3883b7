// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/constant"

// A CompareAndSwap that finds a flag set was preceded by one that set it. What the object of the flag has is
// the affair of who came first: a Close that does nothing the second time loses nothing.

// leftToWinner hands over what the object of an atomic variable has, where a CompareAndSwap did not find the zero
// value in the variable.
func (a *analysis) leftToWinner(st *state, addr, old *sym) {
	switch {
	case old.kind == kNil:
	case old.kind == kConst && old.val.Kind() == constant.Bool && !constant.BoolVal(old.val):
	case old.kind == kConst && old.val.Kind() == constant.Int && constant.Sign(old.val) == 0:
	default:
		return
	}
	a.reach(st, addr.root(), func(x *sym) bool {
		if tracked(x) {
			st.handOver(x)
		}
		return true
	})
}
