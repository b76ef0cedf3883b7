// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// bodyReplaced sees a store to the Body of a message that was read from a reader: the message
// does not lead to the reader any more.
func bodyReplaced(st *state, addr *sym) {
	if addr.kind != kField || addr.a.kind != kHold {
		return
	}
	if f, ok := addr.obj.(*types.Var); ok && f.Name() == "Body" && f.Pkg() != nil && isStdPath(f.Pkg().Path()) {
		set(&st.detached, addr.a, true)
	}
}
