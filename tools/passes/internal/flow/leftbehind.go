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

// storedWith is the store of the slice or map that has an element at an address.
func (a *analysis) storedWith(st *state, addr *sym) *event {
	for addr.kind == kField {
		addr = addr.a
	}
	if addr.kind != kElem {
		return nil
	}
	for _, k := range sortedKeys(st.mem) {
		if e := st.stores[k]; e != nil && k.kind != kElem && a.elemBase(st, plain(st.mem[k])) == addr.a {
			return e
		}
	}
	return nil
}

// elements are what the path put in a slice that it made.
func (a *analysis) elements(st *state, slice *sym) []*sym {
	var list []*sym
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kElem && k.a == slice {
			list = append(list, plain(st.mem[k]))
		}
	}
	return list
}

// inEmptied reports whether an address lies in an element that was appended to a parameter, or to a slice of length 0 of
// its array: the one is behind what the caller has, the other is written over, as the caller knows.
func inEmptied(addr *sym) bool {
	for addr.kind == kField {
		addr = addr.a
	}
	if addr.kind != kElem {
		return false
	}
	x := addr.a
	for x.kind == kAppend {
		x = x.a
	}
	return x != addr.a && (x.kind == kParam || x.kind == kView && x.idx == 1 && x.a.kind == kParam)
}
