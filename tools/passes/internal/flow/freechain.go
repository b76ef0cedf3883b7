// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A chain of free nodes serves as a pool as a slice does: one function takes the first node off and returns it, or
// something new where there is none, another sets its parameter before the first, and nothing else is done with
// the head of the chain. Who waits for a node, or goes through the chain, has a queue.

// collectFreeChains finds the heads of chains that serve as pools, and adds the functions that take from them or
// put to them.
func (a *analysis) collectFreeChains(direct map[*ssa.Function]bool) {
	uses := tally[listUse]{}
	pops, elem := map[*ssa.Store]types.Object{}, map[ssa.Instruction]ssa.Value{}
	for fn, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			h := headAt(i.Addr)
			if h.node == nil || isNilConst(i.Val) {
				continue
			}
			p, isParam := i.Val.(*ssa.Parameter)
			switch {
			case popped(i):
				pops[i] = h.at
			case isParam && p.Parent() == fn && pushed(i):
				uses.of(h.at).puts = append(uses.of(h.at).puts, i)
				elem[i] = p
			default:
				uses.of(h.at).other = true
			}
		case *ssa.UnOp:
			if h := headAt(i.X); i.Op == token.MUL && h.node != nil && !comparedOnly(i) && !setsLink(i) {
				u := uses.of(h.at)
				if takesFirst(i) && (returnsOrNew(fn, i) || a.newElsewhere(fn, i)) {
					u.takes = append(u.takes, i)
				} else {
					u.other = true
				}
			}
		case *ssa.FieldAddr:
			if h := headAt(i); h.node != nil && slices.ContainsFunc(referrers(i), func(r ssa.Instruction) bool { return !loadsOrStores(r, i) }) {
				uses.of(h.at).other = true
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil {
				uses.of(s.Field(i.Field).Origin()).other = true // a copy of the struct
			}
		}
	}
	for obj, u := range uses {
		if u.other || len(u.takes) == 0 || len(u.puts) == 0 || obj.Exported() || obj.Pkg() != a.pkg.Pkg {
			continue
		}
		a.sliceLists.add(&pool{key: obj, name: "the free list " + obj.Name(), api: "slice", known: true}, u, direct)
		for _, i := range u.puts {
			a.sliceLists.elem[i] = elem[i]
		}
		for st, at := range pops {
			if at == obj {
				a.sliceLists.pops[st] = true
			}
		}
	}
}

// setsLink reports whether the first node of a chain is only read to be linked behind another, or compared.
func setsLink(l *ssa.UnOp) bool {
	for _, r := range referrers(l) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.Store:
			if r.Val != l || linkOf(r.Addr) == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// takesFirst reports whether the head of a chain that was read is set to the node behind it.
func takesFirst(l *ssa.UnOp) bool {
	found := false
	eachStore(l.Parent(), func(st *ssa.Store) {
		if next, ok := st.Val.(*ssa.UnOp); ok && popped(st) && oneAddr(st.Addr, l.X, 0) {
			found = found || linkOf(next.X) == ssa.Value(l)
		}
	})
	return found
}
