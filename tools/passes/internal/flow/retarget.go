// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"
)

// A reader or writer that was made over something, and is reset to something else, has let go of
// what it was made over: Reset neither reads from that nor writes to it, and nothing that is done later does.

// retargets reports whether a call resets a reader or writer of the standard library, one that was made
// on the path, to its other argument.
func retargets(e effect, args []*sym, t types.Type) bool {
	if e != eReset || len(args) < 2 || plain(args[0]).kind != kHold {
		return false
	}
	n := pointee(t)
	return n != nil && n.Obj().Pkg() != nil && keepers[strings.TrimPrefix(n.Obj().Pkg().Path(), "vendor/")+"."+n.Obj().Name()]
}

// targetOf is what a reader or writer that was made on the path was reset to; nil if it was not, or that
// is not known.
func (a *analysis) targetOf(st *state, x *sym) *sym {
	if x.kind != kHold || !st.detached[x] {
		return nil
	}
	return st.mem[a.syms.hidden(x)]
}
