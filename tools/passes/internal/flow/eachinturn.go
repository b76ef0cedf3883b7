// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop over all elements of a slice comes to each of those that the path put there. Its first round is taken to
// look at the one that went in first, its second round at the next one, after which it may end.

// inTurn makes the element at addr, which a round of such a loop looks at, the one whose turn it is, where several values
// were added to the slice x one after the other.
func (a *analysis) inTurn(st *state, i *ssa.IndexAddr, x, addr *sym) {
	if x.kind == kView || x.kind == kAdv || addr.kind != kElem || st.mem[addr] != nil || byValue(i.Type()) || !goesThrough(i) {
		return
	}
	round := int(st.f.visits[i.Block().Index])
	first := map[*sym]int{} // values, by the number of the first index
	var looked []*sym
	for k, v := range st.mem {
		if k.kind != kElem || k.a != addr.a {
			continue
		}
		if k.b == nil || k.b.kind != kOpaque {
			looked = append(looked, v) // in the rounds before, or stored at an index
			continue
		}
		if n, ok := first[v]; !ok || k.b.id < n {
			first[v] = k.b.id
		}
	}
	added := func(v *sym) bool { return first[v] > 0 }
	if len(first) < 2 || round > len(first) || round > 1 && asksWhich(i) || slices.ContainsFunc(looked, func(v *sym) bool { return !added(v) }) {
		return
	}
	order := slices.SortedFunc(maps.Keys(first), func(x, y *sym) int {
		return cmp.Or(cmp.Compare(first[x], first[y]), cmp.Compare(x.id, y.id))
	})
	st.mem[addr] = order[round-1]
	if round > 1 && !a.once {
		st.f.further = true // to what comes after the loop
	}
}

// asksWhich reports whether a loop does something with its index besides: which one that is in a later round is not known,
// and another loop may ask for the same.
func asksWhich(i *ssa.IndexAddr) bool {
	return slices.ContainsFunc(referrers(i.Index), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Phi:
			return false
		case *ssa.IndexAddr:
			return r.X != i.X
		case *ssa.BinOp:
			return r.Block() != i.Index.(*ssa.BinOp).Block()
		}
		return true
	})
}

// byValue reports whether what is at an address is a struct: its fields are known one by one.
func byValue(addr types.Type) bool {
	_, ok := deref(addr).Underlying().(*types.Struct)
	return ok
}

// goesThrough reports whether an element is the one that a loop over all of its slice is at.
func goesThrough(i *ssa.IndexAddr) bool {
	if i.Block().Comment != "rangeindex.body" {
		return false
	}
	k, ok := i.Index.(*ssa.BinOp)
	if !ok || k.Block().Comment != "rangeindex.loop" {
		return false
	}
	iff, ok := lastInstr(k.Block()).(*ssa.If)
	if !ok {
		return false
	}
	o, ok := iff.Cond.(*ssa.BinOp)
	if !ok || o.Op != token.LSS || o.X != ssa.Value(k) {
		return false
	}
	n, ok := o.Y.(*ssa.Call)
	return ok && isBuiltin(n, "len") && n.Call.Args[0] == i.X
}
