// SPDX-License-Identifier: BSD-3-Clause

package flow

// A pointer from a pool through which a path has read or written a field is not nil for
// the rest of it.

// dereferenced sees an address that was read or written.
func (a *analysis) dereferenced(st *state, addr *sym) {
	if addr.kind != kField || addr.a.kind != kToken {
		return
	}
	c := a.syms.nilTest(addr.a)
	if _, known := st.truth[c]; !known {
		st.truth[c] = false
	}
}
