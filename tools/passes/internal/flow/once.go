// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// onceOnly reports whether two puts went through one function that does so once
// for each object: it goes on only where a flag of its receiver is not set, and
// sets it. What the flag is may have been lost on the way, in a call that is not
// in view; that code which is not in view clears it is not believed.
func onceOnly(first, second *event) bool {
	for _, i := range second.stack {
		fn := i.Parent()
		if slices.ContainsFunc(first.stack, func(o ssa.Instruction) bool { return o.Parent() == fn }) && underFlag(i) {
			return true
		}
	}
	return false
}

// underFlag reports whether an instruction is reached only where a flag of the
// function's receiver has one value, and the function gives it the other.
func underFlag(i ssa.Instruction) bool {
	fn := i.Parent()
	for b := i.Block(); b.Idom() != nil; b = b.Idom() {
		d := b.Idom()
		t, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 || b.Preds[0] != d {
			continue
		}
		set, cond := d.Succs[0] == b, t.Cond
		if n, ok := cond.(*ssa.UnOp); ok && n.Op == token.NOT {
			set, cond = !set, n.X
		}
		l, ok := cond.(*ssa.UnOp)
		if !ok || l.Op != token.MUL {
			continue
		}
		if f, ok := l.X.(*ssa.FieldAddr); ok && ofReceiver(fn, f) && stores(fn, f, !set) {
			return true
		}
	}
	return false
}

func ofReceiver(fn *ssa.Function, f *ssa.FieldAddr) bool {
	p, ok := f.X.(*ssa.Parameter)
	return ok && len(fn.Params) > 0 && p == fn.Params[0]
}

// stores reports whether a function sets a field of its receiver to a constant.
func stores(fn *ssa.Function, f *ssa.FieldAddr, v bool) bool {
	for i := range instrsOf(fn) {
		s, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		to, ok := s.Addr.(*ssa.FieldAddr)
		if !ok || to.Field != f.Field || !ofReceiver(fn, to) {
			continue
		}
		if c, ok := s.Val.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) == v {
			return true
		}
	}
	return false
}
