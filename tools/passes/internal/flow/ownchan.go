// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An object with a channel of its own is woken through it: the worker that put it on a list of idle ones, and then
// receives from its channel, was taken off that list by who sent.

// comesBackBy sees a receive from a channel that was found in an object which the path put, or left in a list: it is the
// path's again.
func (a *analysis) comesBackBy(st *state, ch *sym) {
	if ch.kind == kLoad && ch.a.kind == kField {
		for addr, v := range st.mem {
			if v == ch.a.a && addr.kind == kElem && addr.a.kind == kAppend {
				delete(st.mem, addr)
			}
		}
	}
	if len(st.rel) == 0 {
		return
	}
	back := func(addr *sym) {
		r := st.rel[addr.a]
		if addr.kind != kField || r == nil || r.pool == nil || !r.pool.isList() {
			return
		}
		for x, other := range st.rel {
			if other == r {
				delete(st.rel, x)
			}
		}
	}
	if ch.kind == kLoad {
		back(ch.a)
		return
	}
	for addr, v := range st.mem {
		if v == ch && addr.kind == kField {
			back(addr)
		}
	}
}

// besideReply reports whether a select that received from a channel that only tells of an end, kept in a field, waited as
// well for an answer on a channel that the path made for it. Whoever was to answer may still use what it was given.
func (a *analysis) besideReply(st *state, s *ssa.Select, ch *sym) bool {
	if t, ok := ch.typ.Underlying().(*types.Chan); ch.kind != kLoad || !ok || !emptyStruct(t.Elem()) {
		return false
	}
	for _, c := range s.States {
		if c.Dir == types.RecvOnly && a.val(st, c.Chan).kind == kAlloc {
			return true
		}
	}
	return false
}
