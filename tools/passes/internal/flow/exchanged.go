// SPDX-License-Identifier: BSD-3-Clause

package flow

// What an encoder appends to, and what it gives back, may be one slice or two. Where the
// encoder is not in view, a function that takes a buffer and puts what the encoder gave
// returns as many as it took.

// exchanged reports whether a path put a slice that a call gave it, or a buffer around one,
// in the pool that the buffer t came from.
func exchanged(st *state, t *sym) bool {
	if t.typ == nil || !isBuffer(t.typ) {
		return false
	}
	for x, r := range st.rel {
		if r.pool == t.pool && !r.async && unknownSlice(x, 0) {
			return true
		}
	}
	return false
}

// unknownSlice reports whether x is a slice that some call gave, or is in an object that one gave, or holds one.
func unknownSlice(x *sym, depth int) bool {
	if x = memory(x); x.kind == kHold && depth < 4 {
		for _, y := range x.list {
			if unknownSlice(y, depth+1) {
				return true
			}
		}
	}
	return (x.kind == kOpaque || x.kind == kLoad && x.base().kind == kOpaque) && x.typ != nil && isSlice(x.typ)
}
