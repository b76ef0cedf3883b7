// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"golang.org/x/tools/go/ssa"
)

// noteOutput sees a pooled buffer set as the writer of something else, as the output of a command: what is
// written there comes after what the buffer has.
func (a *analysis) noteOutput(st *state, i *ssa.Store, addr, v *sym) {
	fa, ok := i.Addr.(*ssa.FieldAddr)
	if !ok || !isWriter(i.Val.Type()) || addr.kind != kField {
		return
	}
	t := plain(v)
	if t.kind != kToken || !bufferType(t, t) || passes(addr, t) || !a.outOfView(fa) {
		return
	}
	a.touched(st, i, t, "set as a writer")
}

// outOfView reports whether a field is of a struct of another package, whose methods write to it.
func (a *analysis) outOfView(fa *ssa.FieldAddr) bool {
	n := pointee(fa.X.Type())
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg() != a.pkg.Pkg
}
