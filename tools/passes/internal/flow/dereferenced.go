// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A pointer from a pool, or from a call, through which a path has read or written a field is
// not nil for the rest of it.

// dereferenced sees an address that was read or written.
func (a *analysis) dereferenced(st *state, addr *sym) {
	if addr.kind != kField || addr.a.kind != kToken && addr.a.kind != kOpaque {
		return
	}
	c := a.syms.nilTest(addr.a)
	if _, known := st.truth[c]; !known {
		st.truth[c] = false
	}
}

// ofNil reports whether a call is of a method of another module whose receiver is nil: few are
// made for that, and a path that needs one is no evidence. Those of the standard library that are asked
// of a pooled value, as its capacity is, stand in the function that puts.
func (a *analysis) ofNil(target callee, args []*sym, c *ssa.CallCommon) bool {
	if target.method == nil || c.IsInvoke() || len(args) == 0 || args[0].kind != kNil || target.method.Pkg() == a.pkg.Pkg || target.method.Pkg() == nil || isStdPath(target.method.Pkg().Path()) {
		return false
	}
	recv := target.method.Signature().Recv()
	if recv == nil {
		return false
	}
	_, isPtr := recv.Type().Underlying().(*types.Pointer)
	return isPtr
}
