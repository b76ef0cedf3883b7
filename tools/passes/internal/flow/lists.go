// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A container/list keeps what is pushed on it until something is removed: which element
// that is, is not followed.

// listCall follows a call of a method of a list that outlives the call of the root.
func (a *analysis) listCall(st *state, i ssa.CallInstruction, f *types.Func, args []*sym) {
	if f.Pkg() == nil || f.Pkg().Path() != "container/list" || f.Signature().Recv() == nil || len(args) == 0 {
		return
	}
	switch args[0].base().kind {
	case kParam, kGlobal:
	default:
		return
	}
	list := a.syms.cell(args[0])
	switch name := f.Name(); {
	case keepsArgs(f):
		addr := a.syms.elem(list, a.syms.fresh(kOpaque, types.Typ[types.Int]), nil)
		a.write(st, addr, args[1])
		a.noteStore(st, i, addr, args[1])
	case name == "Remove" || name == "Init" || strings.HasSuffix(name, "List"):
		for k := range st.mem {
			if k.kind == kElem && k.a == list {
				delete(st.mem, k)
			}
		}
	}
}
