// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A sync.Map may have an entry already: what LoadOrStore is then given, it does not keep, and
// what Swap finds there is its caller's. CompareAndSwap may keep nothing.

// loadOrStore follows LoadOrStore: the value is in the map, or its caller's still.
func (a *analysis) loadOrStore(st *state, i ssa.CallInstruction, args []*sym, c *ssa.CallCommon) ([]outcome, bool) {
	if c.Signature().Results().Len() != 2 || i.Value() == nil || !hasPointers0(args[2]) || plain(args[2]).kind != kToken && part(i.Value(), 1) == nil {
		return nil, false
	}
	there := st.clone()
	old := a.opaque(there, i, 0, c.Signature().Results().At(0).Type())
	addr := a.syms.elem(a.syms.cell(args[0]), plain(args[1]), nil)
	a.write(st, addr, args[2])
	a.noteStore(st, i, addr, args[2])
	yes := func(v bool) *sym { return a.syms.boolean(v) }
	return []outcome{{st, a.tuple(args[2], yes(false))}, {there, a.tuple(old, yes(true))}}, true
}

// swapEntry follows Swap: the value is in the map, and what was there before is the caller's.
func (a *analysis) swapEntry(st *state, i ssa.CallInstruction, args []*sym, c *ssa.CallCommon) []outcome {
	addr := a.syms.elem(a.syms.cell(args[0]), plain(args[1]), nil)
	old := st.mem[addr]
	store := func(st *state) {
		a.write(st, addr, args[2])
		a.noteStore(st, i, addr, args[2])
	}
	yes := func(v bool) *sym { return a.syms.boolean(v) }
	if old != nil {
		store(st)
		return []outcome{{st, a.tuple(old, yes(true))}}
	}
	there := st.clone()
	old = a.opaque(there, i, 0, c.Signature().Results().At(0).Type())
	there.truth[a.syms.nilTest(old)] = false
	store(st)
	store(there)
	return []outcome{{st, a.tuple(a.syms.null(), yes(false))}, {there, a.tuple(old, yes(true))}}
}

// swapEntryIf follows CompareAndSwap: the value is in the map, or its caller's still.
func (a *analysis) swapEntryIf(st *state, i ssa.CallInstruction, args []*sym) []outcome {
	not := st.clone()
	addr := a.syms.elem(a.syms.cell(args[0]), plain(args[1]), nil)
	a.write(st, addr, args[3])
	a.noteStore(st, i, addr, args[3])
	return []outcome{{st, a.syms.boolean(true)}, {not, a.syms.boolean(false)}}
}

// deleteFrom follows a deletion: which entries are left is not known, as keys may be equal that
// were come by in different ways.
func (a *analysis) deleteFrom(st *state, m *sym) {
	for _, addr := range sortedKeys(st.mem) {
		if addr.kind == kElem && addr.a == a.syms.cell(m) {
			a.takeOver(st, plain(st.mem[addr]))
			delete(st.mem, addr)
			delete(st.stores, addr)
		}
	}
}

// leftIn reports whether an address is what a value of the standard library, which is in a
// pool, was set to read or write: whoever takes the value sets it to something else.
func (a *analysis) leftIn(st *state, addr *sym) bool {
	b := addr.base()
	if b.kind != kToken || b.typ == nil || addr != a.syms.hidden(b) {
		return false
	}
	r := st.rel[b]
	p, ok := types.Unalias(b.typ).(*types.Pointer)
	return r != nil && !r.async && ok && fromStd(p.Elem())
}
