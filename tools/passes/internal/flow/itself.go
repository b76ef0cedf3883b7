// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A generic pool may take what it puts as an interface, and ask that for the pointer: a method without
// arguments gives it. What that gives, in code that does not know the type, may be the object itself.

// noteInstance sees what an interface's method gave that was not followed.
func (a *analysis) noteInstance(st *state, x *sym, c *ssa.CallCommon) {
	if !c.IsInvoke() || len(c.Args) > 0 {
		return
	}
	if _, ok := x.typ.Underlying().(*types.Pointer); !ok {
		return
	}
	if a.syms.whose == nil {
		a.syms.whose = map[*sym]*sym{}
	}
	a.syms.whose[x] = plain(a.val(st, c.Value))
}

// putsInstance gives up the object whose method gave what is put.
func (a *analysis) putsInstance(st *state, x *sym) {
	if y := a.syms.whose[x]; y != nil && (y.kind == kParam || tracked(y)) {
		set(&st.gone, y, true)
		a.takeOver(st, y)
	}
}
