// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
)

// notNil sees a method called of an interface: a path goes on only if the interface is not nil.
func (a *analysis) notNil(st *state, recv *sym) {
	switch recv.kind {
	case kNil, kConst, kIface:
		return
	}
	if _, known := a.known(st, a.syms.nilTest(recv)); !known {
		st.truth[a.syms.nilTest(recv)] = false
	}
}

// typesFoundIn narrows the types that an interface may have to those that the package stores
// where the path found it, if that is a field of another package's struct.
func (a *analysis) typesFoundIn(recv *sym, list []types.Type) []types.Type {
	if recv.kind != kLoad || recv.a.kind != kField {
		return list
	}
	f, ok := recv.a.obj.(*types.Var)
	if !ok || f.Pkg() == nil || f.Pkg() == a.pkg.Pkg {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(t types.Type) bool {
		return !slices.ContainsFunc(a.flows.here[f.Origin()], func(c comer) bool { return c.typ != nil && types.Identical(c.typ, t) })
	})
}
