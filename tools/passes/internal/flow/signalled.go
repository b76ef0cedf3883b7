// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Who waits puts itself in a list, or a map, and receives from a channel of its own. Where all who signal that
// channel take the waiter out before, it is in there no more once it has received.

// takenOutBySender sees something received from a channel: a value that the channel is a field of has been taken out of
// the containers that it was in, if the package does so.
func (a *analysis) takenOutBySender(st *state, ch *sym) {
	if ch.kind != kLoad || ch.a.kind != kField || ch.a.a.kind != kToken {
		return
	}
	f, _ := ch.a.obj.(*types.Var)
	if f == nil || !a.unlinksFirst(f.Origin()) {
		return
	}
	for addr, v := range st.mem {
		if addr.kind == kElem && memory(v) == ch.a.a {
			delete(st.mem, addr)
		}
	}
}

// unlinksFirst reports whether all sends to the channel in a field, and all that close it, come after something
// was taken out of a container.
func (a *analysis) unlinksFirst(f *types.Var) bool {
	if known, ok := a.unlinking[f]; ok {
		return known
	}
	signals, after := 0, 0
	for _, i := range a.instrsBeyondTests() {
		var ch ssa.Value
		switch i := i.(type) {
		case *ssa.Send:
			ch = i.Chan
		case *ssa.Call:
			if isBuiltin(i, "close") {
				ch = i.Call.Args[0]
			}
		}
		if ch == nil || fieldOfValue(ch) != f {
			continue
		}
		if signals++; takenOutBefore(i) {
			after++
		}
	}
	if a.unlinking == nil {
		a.unlinking = map[*types.Var]bool{}
	}
	a.unlinking[f] = signals > 0 && signals == after
	return a.unlinking[f]
}

// takenOutBefore reports whether something is removed from a list, deleted from a map, or cut off a slice in a field on every
// way to an instruction.
func takenOutBefore(to ssa.Instruction) bool {
	for i := range instrsOf(to.Parent()) {
		if !precedes(i, to) {
			continue
		}
		switch i := i.(type) {
		case *ssa.Call:
			if isBuiltin(i, "delete") || funcKey(calledMethod(i)) == "container/list.List.Remove" {
				return true
			}
		case *ssa.Store:
			cut, ok := i.Val.(*ssa.Slice)
			if from := fieldAt(i.Addr); ok && from != nil && fieldOfValue(cut.X) == from {
				return true
			}
		}
	}
	return false
}
