// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A stream that was composed on the path, such as a struct of a reader over a buffer and
// the closer of a file, leads its users to what its parts are over.

// streamOver finds memory that is in a pool under a stream that is passed to code out of
// view, which is there to read from it or write to it.
func (a *analysis) streamOver(st *state, x *sym, t types.Type) *release {
	if len(st.rel) == 0 || !streams(t) {
		return nil
	}
	switch x = plain(x); x.kind {
	case kAgg, kHold:
		return a.partsOver(st, x, 0)
	case kAlloc:
		return a.releasedParts(st, x, map[*sym]bool{})
	case kToken, kParam, kLoad, kRecv:
		return a.releasedInFields(st, x)
	}
	return nil
}

// releasedInFields finds released memory that the path stored in fields of an object which it
// did not make.
func (a *analysis) releasedInFields(st *state, x *sym) *release {
	for _, k := range sortedKeys(st.mem) {
		if k.kind != kField || !inside(k, x) || st.stores[k] == nil {
			continue
		}
		v := st.mem[k]
		r := a.released(st, v)
		if r == nil && v.kind == kHold {
			r = a.partsOver(st, v, 0)
		}
		if r == nil {
			r = a.releasedParts(st, v, map[*sym]bool{})
		}
		if r != nil && !r.byField && !r.async && !r.closed {
			return r
		}
	}
	return nil
}

// heldOut finds memory that is in a pool in an object of the package which was made on the path
// and is given to code that is chosen at run time: a handler gets a request to look at what is
// in it. What was put by the name of the field that still has it is known to be gone.
func (a *analysis) heldOut(st *state, target callee, x *sym, t types.Type, n int) *release {
	if len(st.rel) == 0 || !target.dynamic && !(target.iface && n > 0) || target.method != nil && !mayRead(target, n) {
		return nil
	}
	p, ok := t.Underlying().(*types.Pointer)
	if x = plain(x); !ok || x.kind != kAlloc && (x.kind != kToken || st.rel[x] != nil) || st.detached[x] {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() != a.pkg.Pkg || structOf(t) == nil {
		return nil
	}
	for _, k := range sortedKeys(st.mem) {
		f, ok := k.obj.(*types.Var)
		if !ok || k.kind != kField {
			continue
		}
		v := st.mem[k]
		if st.stores[k] == nil && x.kind == kToken {
			continue
		}
		behind := x.kind == kToken && k.a.kind == kLoad && inside(k.a.a, x) // in an object that the value brought along
		if isSlice(f.Type()) {
			if !behind && !inside(k, x) || !isContent(v) && !(plain(v).kind == kAppend && a.releasedSlice(st, plain(v)) != nil) {
				continue // it may be there to be filled anew
			}
		} else if k.a != x && !behind || !isPtr(f.Type()) && !types.IsInterface(f.Type()) {
			continue
		}
		r := a.released(st, v)
		if r == nil {
			r = a.releasedParts(st, v, map[*sym]bool{})
		}
		if r != nil && !r.byField && !r.async && !r.closed && !r.deferred {
			return r
		}
	}
	return nil
}

// isContent reports whether a slice is what was found in a buffer, rather than the buffer or
// its empty start.
func isContent(v *sym) bool {
	v = plain(v)
	if v.kind == kAdv {
		return true
	}
	return v.kind == kView && v.idx != 1
}

// partsOver looks through the fields of a struct that is passed by value.
func (a *analysis) partsOver(st *state, x *sym, depth int) *release {
	if st.detached[x] {
		return nil
	}
	for _, y := range x.list {
		r := a.released(st, y)
		switch y = plain(y); {
		case r != nil:
		case y.kind == kAgg && depth < maxNested:
			r = a.partsOver(st, y, depth+1)
		case y.kind == kAlloc:
			r = a.releasedParts(st, y, map[*sym]bool{})
		case y.kind == kHold:
			r = a.partsOver(st, y, depth+1)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// inKeptToken finds released memory that the path stored in fields of a pooled value which is
// kept, and not put itself.
func (a *analysis) inKeptToken(st *state, v *sym) *release {
	if x := plain(v); x.kind == kToken && st.rel[x] == nil && !st.gone[x] && len(st.rel) > 0 {
		return a.releasedInFields(st, x)
	}
	return nil
}
