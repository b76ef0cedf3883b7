// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Code that is chosen at run time, is given a slice of length 0 and gives a slice of that type appends to it, as
// encoding.BinaryAppender does and hash.Hash's Sum, and so does a function of another package that says so. Slices of that
// type that come after it are what is appended.
// Who is given all that a slice has room for, and another slice after it, writes what it makes of that to the first, as decoders do. Of memory that the path made, nobody asks.

// appendLike is the result of such a call: the array that it was given, or a grown one. It is nil for other calls.
func (a *analysis) appendLike(st *state, i ssa.CallInstruction, target callee, args []*sym, c *ssa.CallCommon) *sym {
	if !target.dynamic && !target.iface && !a.namedAppend(target.method) {
		return nil
	}
	res := c.Signature().Results()
	if res.Len() == 0 || res.Len() > 2 || res.Len() == 2 && !isError(res.At(1).Type()) || !plainSlice(res.At(0).Type()) {
		return nil
	}
	var to *sym
	others, first := 0, false
	for n, x := range args {
		if !types.Identical(argType(c, n), res.At(0).Type()) {
			continue
		}
		if (x.kind != kView || x.idx != 1) && !(others == 0 && cutToCap(c.Args[n-len(args)+len(c.Args)])) {
			others++
			continue
		}
		if to != nil || memory(x).kind == kAlloc {
			return nil
		}
		to, first = x, others == 0
	}
	if to == nil || others > 0 && !first {
		return nil
	}
	if (to.kind != kView || to.idx != 1) && others == 0 {
		return nil // it may write there, and give something else
	}
	s := a.makeOf(st, kAppend, i, 0, res.At(0).Type(), to)
	if res.Len() == 2 {
		return a.tuple(s, a.opaque(st, i, 1, res.At(1).Type()))
	}
	return s
}

// namedAppend reports whether a function of another package is named as one that appends.
func (a *analysis) namedAppend(f *types.Func) bool {
	return f != nil && f.Pkg() != nil && f.Pkg() != a.pkg.Pkg && (strings.HasPrefix(f.Name(), "Append") || strings.HasSuffix(f.Name(), "Append"))
}

// cutToCap reports whether a slice is one made as long as it has room.
func cutToCap(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok || s.Low != nil {
		return false
	}
	c, ok := s.High.(*ssa.Call)
	if !ok {
		return false
	}
	of, ok := capOf(c)
	return ok && (of == s.X || sameRead(of, s.X))
}
