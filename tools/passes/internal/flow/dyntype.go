// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// A value in an interface has one type. What a path found that to be, by an assertion or
// because a method of that type was followed, decides the assertions that come later.

// isOf is the condition that a value in an interface is of type t, or implements it.
func (t *symbols) isOf(x *sym, typ types.Type) *sym {
	c := t.intern(symKey{kind: kOk, a: x, val: typ.String()}, types.Typ[types.Bool])
	if t.asserted == nil {
		t.asserted = map[*sym]types.Type{}
	}
	t.asserted[c] = typ
	return c
}

// assertedBefore tells whether x is of type t, where the path knows its type.
func (a *analysis) assertedBefore(st *state, x *sym, t types.Type) (is, ok bool) {
	if !types.IsInterface(t) && !concrete(t) {
		return false, false
	}
	for c, v := range st.truth {
		if !v || c.kind != kOk || c.a != x {
			continue
		}
		held := a.syms.asserted[c]
		if held == nil || !concrete(held) {
			continue
		}
		if it, isInterface := t.Underlying().(*types.Interface); isInterface {
			return types.Implements(held, it), true
		}
		return types.Identical(held, t), true
	}
	return false, false
}

// ofAnotherType reports whether a condition asks what type a value has that others gave as an interface: where it is
// another one, the value may be of a third, and is not nil for that.
func (a *analysis) ofAnotherType(c *sym) bool {
	if a.syms.asserted[c] == nil || c.a.typ == nil || !types.IsInterface(c.a.typ) {
		return false
	}
	switch c.a.kind {
	case kParam, kFree, kLoad, kOpaque, kRecv:
		return true
	}
	return false
}

// asksParam reports whether a condition asks for the type of what a function is given in an interface.
func (a *analysis) asksParam(c *sym) bool {
	t := a.syms.asserted[c]
	return c.kind == kOk && c.a.kind == kParam && t != nil && !types.IsInterface(t)
}

// isOfNamed is the condition that a value is of a type of another package, or a pointer to one, which is
// known by its name.
func (a *analysis) isOfNamed(x *sym, name string) *sym {
	switch {
	case x.kind == kNil:
		return a.syms.boolean(false)
	case x.kind == kIface && x.typ != nil && !types.IsInterface(x.typ):
		if _, generic := x.typ.(*types.TypeParam); !generic {
			return a.syms.boolean(typeName(x.typ) == name)
		}
	}
	if t := a.lookupType(name); t != nil {
		return a.syms.isOf(x, t)
	}
	return a.syms.fresh(kOpaque, types.Typ[types.Bool])
}
