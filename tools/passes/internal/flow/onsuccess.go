// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A test around a Put alone is somebody's decision to drop the value, as of a buffer that
// could not be filled. Where it asks if a buffer's content could be written, it decides
// nothing about the buffer: writers do not keep what they are given.

// underSuccess reports whether a block is the arm in which such a call gave no error.
func underSuccess(b *ssa.BasicBlock, t *sym) bool {
	if t.typ == nil || !isBuffer(t.typ) || len(b.Preds) != 1 {
		return false
	}
	i, ok := lastInstr(b.Preds[0]).(*ssa.If)
	if !ok {
		return false
	}
	c, ok := i.Cond.(*ssa.BinOp)
	if !ok || !isError(c.X.Type()) || !isNilConst(c.Y) || (c.Op == token.EQL) != (b == b.Preds[0].Succs[0]) {
		return false
	}
	v := c.X
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	f := calledMethod(call)
	if f == nil {
		return false
	}
	return hasPrefix(strings.ToLower(f.Name()), []string{"write", "flush"})
}

// underFailure reports whether a block is the arm in which some call gave an error: to put what
// failed, and to drop what did not, is nobody's decision.
func underFailure(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	i, ok := lastInstr(b.Preds[0]).(*ssa.If)
	if !ok {
		return false
	}
	c, ok := i.Cond.(*ssa.BinOp)
	return ok && isError(c.X.Type()) && isNilConst(c.Y) && (c.Op == token.NEQ || c.Op == token.EQL) && (c.Op == token.NEQ) == (b == b.Preds[0].Succs[0])
}

// putsFailed reports whether all exits of an activation that put a value do so where some call
// gave an error.
func putsFailed(fn *ssa.Function, exits []exit, t *sym) bool {
	n := 0
	for _, e := range exits {
		r := e.st.rel[t]
		if r == nil {
			continue
		}
		k := len(e.st.f.stack)
		if r.async || len(r.stack) <= k || r.stack[k].Parent() != fn || !underFailure(r.stack[k].Block()) {
			return false
		}
		n++
	}
	return n > 0
}
