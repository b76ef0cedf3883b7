// SPDX-License-Identifier: BSD-3-Clause

package flow

import "slices"

// An object that a caller had may change hands: where its place was set to something else, and nobody but the pooled value
// has it, that it leads back to the value is the value's affair.

// changedHands reports whether an address is that of a field of an object which the path took out of where it found it, and
// left at most in the value that the field leads to.
func changedHands(e exit, addr, v *sym) bool {
	st := e.st
	if addr.kind != kField {
		return false
	}
	o, into := plain(addr.a), v.base()
	if o.kind != kLoad || st.handed[o] || st.escaped[o] || st.sent[o] != nil || slices.ContainsFunc(e.results, func(x *sym) bool { return plain(x) == o }) {
		return false
	}
	if now := st.mem[o.a]; now == nil || plain(now) == o {
		return false
	}
	for k, x := range st.mem {
		if plain(x) == o && k.base() != into {
			return false
		}
	}
	return true
}
