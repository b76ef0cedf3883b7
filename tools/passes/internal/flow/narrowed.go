// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function that puts readers of several kinds asks each for its type. What it asks tells
// one kind from another where the type of the values of a pool is known: by its New, or by
// those who take them.

// takenType is the one type that the values of a token's pool are known to have, or that whoever took
// the token found it to have, which may be an interface. It is nil where that is not clear.
func (a *analysis) takenType(t *sym) (typ types.Type) {
	if made := a.madeType(t.pool); made != nil {
		return made
	}
	v, ok := t.obj.(ssa.Value)
	if !ok || v.Referrers() == nil {
		return nil
	}
	for _, ta := range assertsOf(v, map[ssa.Value]bool{}) {
		switch {
		case typ == nil || types.IsInterface(typ):
			typ = ta.AssertedType
		case !types.IsInterface(ta.AssertedType) && !types.Identical(ta.AssertedType, typ):
			return nil
		}
	}
	return typ
}

// ofTakenType tells what a test of a token's type, c, gives where the token is not nil. It is open where
// the token was taken as an interface, which several types satisfy.
func (a *analysis) ofTakenType(c *sym) (is, open bool) {
	held := a.syms.asserted[c]
	if held == nil || !concrete(held) {
		return true, false
	}
	switch typ := a.takenType(c.a); {
	case typ == nil:
		return true, false // what comes out of a pool is of the type that goes in
	case types.IsInterface(typ):
		return false, true
	default:
		return !concrete(typ) || types.Identical(typ, held), false
	}
}

// narrowed reports whether the path found by a test of its type only that a token, which was taken as an
// interface, is of a concrete one: of those that its pool has, or of none.
func (a *analysis) narrowed(st *state, t *sym) bool {
	for c, v := range st.truth {
		if v && c.kind == kOk && c.a == t {
			if _, open := a.ofTakenType(c); open {
				return true
			}
		}
	}
	return false
}
