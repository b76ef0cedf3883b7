// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A call that waits for its reply stands in a map of pending calls, by a number. Who replies
// takes it out of there and then sends on the channel in the call: when that was received,
// the map has the call no more.

// noteReply notes that the path received from a channel in a value that came from a pool
// and that it stored in a map before.
func (a *analysis) noteReply(st *state, ch *sym) {
	if ch.kind != kLoad || ch.a.kind != kField || ch.root() == nil {
		return
	}
	t := ch.a.base()
	if t.kind != kToken {
		return
	}
	for k, v := range st.mem {
		if k.kind == kElem && plain(v) == t {
			st.truth[a.replyMark(k, t)] = true
		}
	}
}

func (a *analysis) replyMark(addr, t *sym) *sym {
	return a.syms.intern(symKey{kind: kArith, a: addr, b: t, idx: -1, val: "replied"}, types.Typ[types.Bool])
}

// replied reports whether a value that was stored in a map of a field has been taken out by who
// replied to it: some other function deletes from that field's map.
func (a *analysis) replied(st *state, addr, v *sym) bool {
	v = plain(v)
	if addr.kind != kElem || !st.truth[a.replyMark(addr, v)] {
		return false
	}
	m := memory(addr.a)
	if m.kind != kLoad || m.a.kind != kField {
		return false
	}
	field, _ := m.a.obj.(*types.Var)
	if field == nil {
		return false
	}
	for fn, i := range a.instrs() {
		c, ok := i.(*ssa.Call)
		if !ok || fn == a.root {
			continue
		}
		if f, ok := c.Call.Value.(*ssa.Builtin); !ok || f.Name() != "delete" && f.Name() != "clear" {
			continue
		}
		l, ok := c.Call.Args[0].(*ssa.UnOp)
		if !ok {
			continue
		}
		if fa, ok := l.X.(*ssa.FieldAddr); ok {
			if s := structOf(fa.X.Type()); s != nil && s.Field(fa.Field).Origin() == field.Origin() {
				return true
			}
		}
	}
	return false
}
