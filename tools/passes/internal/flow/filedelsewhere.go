// SPDX-License-Identifier: BSD-3-Clause

package flow

// A value that a field holds may be put by that name, and other fields of the object that lead to it are the object's own
// affair. What the path itself stored in a container of another object, before it put the value, stays there.

// filedIn reports whether a path stored what it put by the name of a field in a container of an object that some field leads to.
func (st *state) filedIn(addr, v *sym, r *release) bool {
	if addr.kind != kElem || v.kind != kLoad || v.a.kind != kField {
		return false
	}
	stored := st.stores[addr]
	if stored == nil || len(stored.stack) < 2 || len(r.stack) == 0 {
		return false
	}
	// By a callee, before the Put.
	in := stored.stack[0]
	if put := r.stack[0]; in == put || in.Parent() != put.Parent() || !precedes(in, put) {
		return false
	}
	home := v.a.a // the object that had it
	for x := addr.a; x != nil; x = x.a {
		if x == home {
			return false
		}
		if x.kind == kLoad && x.a != nil && x.a.kind == kField && x.a.a == home && x.a != v.a {
			// The container is a field of what a pointer in the home's field leads to.
			return addr.a != x
		}
	}
	return false
}
