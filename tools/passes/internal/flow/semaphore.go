// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"
)

// A channel that a path sends a bare signal on, and receives from later, counts what goes on: the path
// takes out what it put in, or what another one did, and waits for nobody.

// slotField is the number of the field that stands for the signals of a path in a channel.
const slotField = -8

// takesSlot sees a path send a signal on a channel.
func (a *analysis) takesSlot(st *state, ch, v *sym) {
	if ch.kind == kNil || hasPointers0(v) {
		return
	}
	slot := a.syms.field(ch, nil, slotField)
	n := constInt(1)
	if had := st.mem[slot]; had != nil {
		n = constInt(min(2, 1+int(constInt64(had.val))))
	}
	st.mem[slot] = a.syms.constant(n, types.Typ[types.Int])
}

// givesSlot reports whether a receive takes out what the path put in a channel that no
// goroutine has which the path started.
func (a *analysis) givesSlot(st *state, ch *sym) bool {
	slot := a.syms.field(ch, nil, slotField)
	had := st.mem[slot]
	if had == nil {
		return false
	}
	delete(st.mem, slot)
	if n := constInt64(had.val); n > 1 {
		st.mem[slot] = a.syms.constant(constInt(int(n-1)), types.Typ[types.Int])
	}
	for _, g := range st.gos {
		if g.sink != "" {
			continue
		}
		has := g.body == nil
		a.reachAll(st, g.holds, func(x *sym) bool {
			has = has || passes(ch, x)
			return !has
		})
		if has {
			return false
		}
	}
	return true
}

func constInt64(v constant.Value) int64 {
	n, _ := constant.Int64Val(v)
	return n
}
