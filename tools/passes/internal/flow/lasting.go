// SPDX-License-Identifier: BSD-3-Clause

package flow

// lasting is what will be found at an address where v is written now. What is written to an
// object that is in a pool may be written over by its next user, so that a mark there, a
// field set to nil say, says nothing to who asks for it later.
func (a *analysis) lasting(st *state, addr, v *sym) *sym {
	if addr.kind != kField || v.kind != kNil && v.kind != kConst {
		return v
	}
	for x := addr; x.kind == kField; x = x.a {
		if r := st.rel[x.a]; r != nil && !st.gone[x.a] && !r.async {
			return a.syms.fresh(kOpaque, v.typ)
		}
	}
	return v
}
