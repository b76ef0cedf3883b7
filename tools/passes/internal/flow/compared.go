// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
)

// Who finds by comparing pointers that a function gave back the memory which it was given may put
// it by either name.

// foundSame sees that a condition holds: where it compares the start of a pooled slice with that of another,
// what has the other one may put it.
func (a *analysis) foundSame(st *state, c *sym) {
	x, y := slicesCompared(c)
	if y != nil && y.kind == kToken {
		x, y = y, x
	}
	if x != nil && x.kind == kToken && y != x {
		set(&st.handed, x, true)
	}
}

// distinct reports whether a condition compares the starts of two slices that were made apart.
func distinct(c *sym) bool {
	x, y := slicesCompared(c)
	if y != nil && y.kind == kAlloc {
		x, y = y, x
	}
	return x != nil && x != y && x.kind == kAlloc && (y.kind == kAlloc || y.kind == kToken)
}

// slicesCompared are the memory of two slices whose first elements' addresses a condition compares, or nil.
func slicesCompared(c *sym) (x, y *sym) {
	if c.kind != kCmp || c.idx != int(token.EQL) || !startsSlice(c.a) || !startsSlice(c.b) {
		return nil, nil
	}
	of := func(v *sym) *sym {
		if v.kind == kElem {
			v = v.a
		}
		m := memory(v)
		if m.kind == kHold && len(m.list) == 1 {
			m = memory(m.list[0]) // of a buffer that was made over it
		}
		if m.kind == kLoad && m.a.kind == kToken {
			return m.a // the slice in a header
		}
		return m
	}
	return of(c.a), of(c.b)
}

// startsSlice reports whether a value is the address of a slice's first element, be it by package unsafe.
func startsSlice(v *sym) bool {
	return v.kind == kView || v.kind == kElem && v.b != nil && v.b.kind == kConst && v.b.val.Kind() == constant.Int && constant.Sign(v.b.val) == 0
}
