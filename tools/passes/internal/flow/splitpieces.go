// SPDX-License-Identifier: BSD-3-Clause

package flow

import "go/types"

// bytes.Split, Fields and their like give a slice of pieces of what they are given: what is appended of that is memory
// of the whole.

// pieceOf is some element of the slice of pieces that a function gave of a buffer, or nil where a value is none.
func (a *analysis) pieceOf(x *sym) *sym {
	if x = plain(x); x.kind != kView || x.typ == nil || x.a.typ == nil || types.Identical(x.typ, x.a.typ) {
		return nil
	}
	s, ok := x.typ.Underlying().(*types.Slice)
	if !ok || !isBytes(s.Elem()) || !isBytes(x.a.typ) {
		return nil
	}
	return a.syms.view(x.a, s.Elem())
}
