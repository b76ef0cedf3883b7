// SPDX-License-Identifier: BSD-3-Clause

package flow

// What goes into a slice or map that outlives the call is there at the end only if the
// container is: not if the field holds another one by then, a part of it, as after a pop
// or x = x[:0], or if some element was overwritten with nil. Which elements a part has
// is not known.

// takenFrom reports whether what was put at an address may have left the container
// again, or the container its place, by the end of a path.
func (a *analysis) takenFrom(e exit, addr *sym) bool {
	for x := addr; x != nil; x = x.a {
		if x.kind == kElem && a.leftBy(e, x.a) {
			return true
		}
	}
	return false
}

// leftBy reports whether nothing that outlives the path is known to hold all of a container
// that it found in memory.
func (a *analysis) leftBy(e exit, c *sym) bool {
	st := e.st
	m := memory(c)
	if m.kind != kLoad {
		return false
	}
	for k, v := range st.mem {
		if k.kind == kElem && k.a == c && v.kind == kOpaque && v.typ == nil {
			return true // some element became nil
		}
	}
	now := st.mem[m.a]
	if now == nil && m.idx == st.epochOf(m.a) || now != nil && holdsAll(now, c) {
		return false
	}
	if now == nil && a.staysIn(m) && !changedLater(st, c, m) {
		return false
	}
	for _, r := range e.results {
		if holdsAll(r, c) {
			return false
		}
	}
	for k, v := range st.mem {
		switch k.base().kind {
		case kParam, kFree, kGlobal, kOpaque, kRecv:
			if k != m.a && holdsAll(v, c) {
				return false
			}
		}
	}
	return true
}

// holdsAll reports whether a value is a container, or that with more appended to it.
func holdsAll(v, c *sym) bool {
	for v = plain(v); v != c; v = v.a {
		if v.kind != kAppend {
			return false
		}
	}
	return true
}

// stillStored notes of what is in an element that it may not be the one that was deleted: then
// the map has it.
func (a *analysis) stillStored(st *state, v *sym) {
	a.reach(st, v, func(y *sym) bool {
		if y.kind == kToken {
			st.handOver(y)
		}
		return true
	})
}
