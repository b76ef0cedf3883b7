// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
)

// A string that was made of a buffer's bytes without a copy is there to be read: who
// gets what holds it will. That tells it from a buffer that an object still leads to
// after the buffer was put, which the object's next user replaces.

// stringView is the number of a view that is a string over bytes.
const stringView = 2

// lentString is a string over the memory of x.
func (a *analysis) lentString(x *sym, typ types.Type) *sym {
	if x.kind == kNil || x.kind == kConst {
		return x
	}
	return a.syms.intern(symKey{kind: kView, a: x, idx: stringView}, typ)
}

func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// asString is what a load gave, where it reads a slice's header as a string's.
func (a *analysis) asString(v *sym, typ types.Type) *sym {
	if !isString(typ) || v.typ == nil || !isBytes(v.typ) {
		return v
	}
	switch v.kind {
	case kView, kAdv, kAppend, kLoad:
		return a.lentString(v, typ)
	}
	return v
}

// maxLentDepth bounds the objects between a value and the strings in it.
const maxLentDepth = 8

// stringsWithin finds, in what x leads to through objects that the path made or took,
// a string over memory that is in a pool.
func (a *analysis) stringsWithin(st *state, x *sym) *release {
	if len(st.rel) == 0 {
		return nil
	}
	seen := map[*sym]bool{}
	var keys []*sym
	var walk func(x *sym, depth int) *release
	walk = func(x *sym, depth int) *release {
		x = plain(x)
		if seen[x] || depth > maxLentDepth {
			return nil
		}
		seen[x] = true
		if x.kind == kView && (x.idx == 1 || x.b != nil && isSlice(x.typ) && !isBytes(x.typ)) {
			return nil // cut to nothing, or to elements of which it is not known which they are
		}
		if isString(x.typ) && (x.kind == kView || x.kind == kAdv) {
			return a.released(st, x)
		}
		for x.kind == kView || x.kind == kAdv {
			x = x.a
		}
		switch x.kind {
		case kAgg:
			for _, y := range x.list {
				r := walk(y, depth+1)
				if r == nil && depth == 0 {
					r = a.releasedSlice(st, y)
				}
				if r != nil {
					return r
				}
			}
			return nil
		case kAlloc, kAppend:
		case kToken:
			if st.rel[x] != nil || st.gone[x] {
				return nil
			}
		default:
			return nil
		}
		if keys == nil {
			keys = sortedKeys(st.mem)
		}
		for _, k := range keys {
			if !partOf(k, x) {
				continue
			}
			r := walk(st.mem[k], depth+1)
			if r == nil && ofElement(k, x) {
				r = a.releasedSlice(st, st.mem[k])
			}
			if r != nil {
				return r
			}
		}
		return nil
	}
	return walk(x, 0)
}

// releasedSlice finds memory that is in a pool in an element of a slice or map, or in a
// struct that is passed by value: as little as strings are these there to be filled.
func (a *analysis) releasedSlice(st *state, v *sym) *release {
	switch v.kind {
	case kLoad:
		if v.a.kind == kElem && v.typ != nil && isBytes(v.typ) {
			return a.released(st, v) // a piece of a buffer that was split
		}
	case kView, kAdv, kAppend:
		if v.idx != 1 && v.typ != nil && isBytes(v.typ) && !a.empty(st, v) {
			return a.released(st, v)
		}
	}
	return nil
}

// partOf reports whether an address lies in the object at x, and in that slice rather
// than in one that it was appended to.
func partOf(k, x *sym) bool {
	for k != x {
		switch k.kind {
		case kField, kElem:
			k = k.a
		default:
			return false
		}
	}
	return true
}

// ofElement reports whether an address is that of an element of x, or of a field of one.
func ofElement(k, x *sym) bool {
	for ; k != x; k = k.a {
		if k.kind == kElem {
			return true
		}
	}
	return false
}

// mayRead reports whether a callee out of view is there to work on its argument, not
// to empty it or take it back.
func mayRead(target callee, n int) bool {
	if target.method == nil {
		return target.dynamic
	}
	if n == 0 && target.method.Signature().Recv() != nil {
		return false
	}
	return !slices.Contains([]string{"Reset", "Clear", "Zero"}, target.method.Name()) && !ends(target.method.Name())
}

// cutOff reports whether an element in memory that is in a pool by now was left out of
// a slice that starts anew at length zero.
func (a *analysis) cutOff(st *state, x, v *sym) bool {
	return x.kind == kView && x.idx == 1 && (a.released(st, v) != nil || a.stringsWithin(st, v) != nil)
}
