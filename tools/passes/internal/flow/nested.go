// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A container that was made on the path and outlives a put may hold slices of what was
// put at any depth: in the structs that are its elements, in the slices of a map.

// maxNested bounds how deep containers are searched in containers.
const maxNested = 4

// releasedNested finds released memory in the slices among the elements of a container
// that was made on the path, and of those that it holds.
func (a *analysis) releasedNested(st *state, x *sym, depth int) *release {
	x = plain(x)
	if x.kind == kAgg && depth <= maxNested && len(st.rel) > 0 {
		// A struct by value, with containers among its fields.
		for _, y := range x.list {
			if r := a.releasedNested(st, y, depth+1); r != nil {
				return r
			}
		}
		return nil
	}
	if x.kind == kView && x.idx != 1 && x.typ != nil && isSlice(x.typ) && !isBytes(x.typ) && !st.detached[x] && memory(x).kind == kAlloc {
		x = memory(x) // all of an array that was made here
	}
	if x.kind != kAppend && x.kind != kAlloc || depth > maxNested || len(st.rel) == 0 {
		return nil
	}
	if piece := a.onlyPieces(st, x); piece != nil {
		return a.released(st, piece)
	}
	base := a.elemBase(st, x)
	for _, k := range sortedKeys(st.mem) {
		v := st.mem[k]
		if e := slot(k); e == nil || e.a != x && e.a != base {
			// A field of a struct is no slice that is put; a container in it may hold some.
			if e == nil && x.kind == kAlloc && k.kind == kField && inside(k, x) && !varargs(x) {
				if r := a.releasedNested(st, v, depth+1); r != nil {
					return r
				}
			}
			continue
		}
		switch v.kind {
		case kAlloc:
			if r := a.releasedParts(st, v, map[*sym]bool{}); r != nil {
				return r
			}
			if v.typ != nil && !container(v.typ) {
				continue
			}
		case kToken, kParam, kRecv, kOpaque:
			if r := a.releasedCopy(st, k, v); r != nil {
				return r
			}
			if r := a.released(st, v); v.kind == kToken && r != nil && x.kind == kAlloc && r.deferred {
				return r
			}
			continue
		case kLoad:
			if r := a.releasedCopy(st, k, v); r != nil {
				return r
			}
			if v.typ == nil || !isSlice(v.typ) {
				continue
			}
			fallthrough
		case kView, kAdv, kAppend:
			if r := a.released(st, v); r != nil && !a.empty(st, v) {
				return r
			}
		case kField, kHold:
			// In a literal: those of a loop may be another round's.
			if r := a.released(st, v); r != nil && x.kind == kAlloc && r.deferred {
				return r
			}
		}
		if r := a.releasedNested(st, v, depth+1); r != nil {
			return r
		}
	}
	return nil
}

// slot is the element that an address is, or is a field of.
func slot(addr *sym) *sym {
	for addr.kind == kField {
		addr = addr.a
	}
	if addr.kind != kElem {
		return nil
	}
	return addr
}

func container(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}
