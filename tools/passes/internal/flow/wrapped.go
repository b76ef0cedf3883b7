// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// wrapsResponse reports whether a store put a wrapper of a response in the place of the
// response, which the wrapper keeps. By the protocol of handlers, whoever called one
// writes no more of the body, so that the wrapper that is left there meets status and size only.
func (a *analysis) wrapsResponse(st *state, addr, v *sym) bool {
	f, ok := addr.obj.(*types.Var)
	if !ok || addr.kind != kField || !isResponse(f.Type()) {
		return false
	}
	wraps := false
	a.reach(st, v, func(y *sym) bool {
		wraps = wraps || y.kind == kLoad && y.a == addr
		return !wraps
	})
	return wraps
}

// isResponse reports whether a type has the methods of http.ResponseWriter.
func isResponse(t types.Type) bool {
	for _, name := range []string{"Header", "Write", "WriteHeader"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj == nil {
			return false
		}
	}
	return true
}
