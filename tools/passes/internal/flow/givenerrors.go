// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function that ends an object's life for an error is given one: those that call it do so where they have one.
// Walked by itself it would also be given none, and then the object's life has not ended.

// givenErrors notes the parameters of a root that are errors, and are so at each of its calls.
func (a *analysis) givenErrors(st *state, fn *ssa.Function, args []*sym) {
	obj := fn.Object()
	if obj == nil || obj.Exported() || fn.Parent() != nil {
		return
	}
	for n, p := range fn.Params {
		if isError(p.Type()) && a.givenError(fn, n, 0) {
			st.truth[a.syms.nilTest(args[n])] = false
		}
	}
}

// givenError reports whether all who call a function, which only this package can, give it an error as its parameter n.
func (a *analysis) givenError(fn *ssa.Function, n, depth int) bool {
	s := a.uses().sites
	if depth > 2 || s.taken[fn] || len(s.invokes[fn.Name()]) > 0 || fn.Object() == nil || fn.Object().Exported() {
		return false
	}
	some := false
	for _, c := range s.callers[fn] {
		if a.inTest(c.Parent()) {
			continue
		}
		some = true
		if c.Common().IsInvoke() || n >= len(c.Common().Args) || !a.surelyError(c.Common().Args[n], c.Block(), depth) {
			return false
		}
	}
	return some
}

// surelyError reports whether an error, as a block has it, is not nil.
func (a *analysis) surelyError(v ssa.Value, b *ssa.BasicBlock, depth int) bool {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		g, ok := x.X.(*ssa.Global)
		if ok && x.Op == token.MUL && types.Identical(deref(g.Type()), x.Type()) {
			return true // one that is declared, as io.EOF is
		}
	case *ssa.Call:
		switch funcKey(calledMethod(x)) {
		case "errors.New", "fmt.Errorf":
			return true
		}
	case *ssa.Parameter:
		for n, p := range x.Parent().Params {
			if p == x && a.givenError(x.Parent(), n, depth+1) {
				return true
			}
		}
	}
	for _, r := range referrers(v) {
		o, ok := r.(*ssa.BinOp)
		if !ok || o.Op != token.NEQ && o.Op != token.EQL || !isNilConst(o.X) && !isNilConst(o.Y) {
			continue
		}
		for _, t := range referrers(o) {
			if t, ok := t.(*ssa.If); ok {
				arm := t.Block().Succs[0]
				if o.Op == token.EQL {
					arm = t.Block().Succs[1]
				}
				if len(arm.Preds) == 1 && (arm == b || arm.Dominates(b)) {
					return true
				}
			}
		}
	}
	return false
}
