// SPDX-License-Identifier: BSD-3-Clause

package flow

// leftBehind reports whether an address is that of an element of a slice which the path
// made by append, and which it then cut to nothing or replaced: no variable or field
// leads to the element any more.
func (a *analysis) leftBehind(st *state, addr *sym) bool {
	for addr.kind == kField {
		addr = addr.a
	}
	if addr.kind != kElem || addr.a.kind != kAppend {
		return false
	}
	slice := addr.a
	cut := false
	for k, v := range st.mem {
		if k.kind == kElem && k.a == slice {
			continue
		}
		none := v.kind == kView && v.idx == 1
		if a.elemBase(st, plain(v)) != slice {
			continue
		}
		if !none {
			return false
		}
		cut = true
	}
	return cut
}
