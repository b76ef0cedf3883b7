// SPDX-License-Identifier: BSD-3-Clause

package flow

// closedByOther reports whether a path found a field of t that code out of view may have
// written to be nil, or set: that says who has t in hand, or that it was put already, as the
// field src of a reader that was closed does.
func closedByOther(st *state, t *sym) bool {
	for c, v := range st.truth {
		x := errorOf(c) // compared with nil
		if x == nil && c.typ != nil && isBool(c.typ) {
			x = c
		}
		if v && x != nil && changedBy(x, t) {
			return true
		}
	}
	return false
}

// changedBy reports whether x is the content of a field of t that code out of view may have
// written.
func changedBy(x, t *sym) bool {
	return x.kind == kLoad && x.idx > 0 && x.a.kind == kField && x.a.a == t
}
