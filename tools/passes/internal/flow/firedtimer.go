// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A timer that fired is of no use to a pool whose Put keeps those alone that Stop stopped in time: who received
// its tick may as well drop it.

// noteFired sees a receive, which may be of a pooled timer's tick.
func (a *analysis) noteFired(st *state, ch *sym) {
	if ch.kind != kLoad || ch.a.kind != kField || !isTimer(ch) {
		return
	}
	if t := plain(ch.a.a); t.kind == kToken && t.typ != nil && pointee(t.typ) != nil && types.TypeString(pointee(t.typ), nil) == "time.Timer" {
		st.truth[a.syms.expired(t)] = true
	}
}

// stoppedInTime reports whether a path asked a timer's Stop whether it stopped the timer, and it did.
func stoppedInTime(st *state) bool {
	for c, is := range st.truth {
		if !is || c.kind != kOpaque {
			continue
		}
		if i, ok := c.obj.(ssa.Instruction); ok {
			if f := calledMethod(i); f != nil && funcKey(f) == "time.Timer.Stop" {
				return true
			}
		}
	}
	return false
}
