// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A list of nodes that lead to each other has its ends in fields: head, tail. Whoever takes a node out sets its
// neighbours to each other, and an end where the node has no neighbour on that side. That the node at
// an end has none there is not known to the walk: on its paths a node with neighbours would be left as an end.

// unlinked looks at a store, and where it leads past a node, to the node's neighbour, lets go of what other
// fields are known to hold the node: they do so no more.
func (a *analysis) unlinked(st *state, addr, v *sym) {
	if addr.kind != kField || addr.a.kind != kLoad || addr.a.a.kind != kField {
		return
	}
	x := addr.a.a.a // of which addr.a is a neighbour
	link, node := addr.a.typ, x.typ
	if link == nil || node == nil || !types.Identical(link, node) || pointee(node) == nil {
		return
	}
	next := a.syms.field(x, structOf(node), addr.idx)
	if plain(v) != plain(a.read(st, next, node)) {
		return
	}
	for k, w := range st.mem {
		if k.kind == kField && k.a != x && plain(w) == x {
			st.mem[k] = a.syms.fresh(kOpaque, node)
		}
	}
	if x.kind == kLoad && x.a.kind == kField && st.mem[x.a] == nil {
		st.mem[x.a] = a.syms.fresh(kOpaque, node)
	}
}
