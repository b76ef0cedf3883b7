// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Links of a chain are put one by one by whoever walks it. One that cuts the chain in the middle
// and puts the first link behind the cut, without a look at what follows that, loses the rest.

// judgeCutChains reports such puts.
func (a *analysis) judgeCutChains() {
	walked := map[*types.Var]ssa.Instruction{}
	for _, fn := range a.fns {
		a.eachPut(fn, func(c ssa.CallInstruction, x ssa.Value) {
			if p, ok := x.(*ssa.Phi); ok {
				for _, e := range p.Edges {
					if f, of := chainLink(e); f != nil && of == ssa.Value(p) && walked[f] == nil {
						walked[f] = c
					}
				}
			}
		})
	}
	for _, fn := range a.fns {
		if a.inTest(fn) || len(walked) == 0 {
			continue
		}
		a.eachPut(fn, func(c ssa.CallInstruction, x ssa.Value) {
			f, of := chainLink(x)
			if f == nil || walked[f] == nil || !cutsAt(fn, of, f) || looksAt(fn, x, f) || a.followsLinks(c, f) {
				return
			}
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(c), fn: fn,
				message: fmt.Sprintf("the chain is cut here and only the first link behind the cut is put: those that %s leads to are lost", f.Name()),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(walked[f]), Message: "whole chains are put here"}},
			})
		})
	}
}

// eachPut visits the values that the calls of a function put.
func (a *analysis) eachPut(fn *ssa.Function, visit func(c ssa.CallInstruction, x ssa.Value)) {
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok {
			for _, n := range a.uses().sites.putArgs(a, c) {
				visit(c, unboxed(c.Common().Args[n]))
			}
		}
	}
}

// chainLink is the field through which a value was reached from another one of its type.
func chainLink(v ssa.Value) (*types.Var, ssa.Value) {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil, nil
	}
	fa, ok := l.X.(*ssa.FieldAddr)
	if !ok || !types.Identical(fa.X.Type(), l.Type()) {
		return nil, nil
	}
	return nthField(fa.X, fa.Field), fa.X
}

// cutsAt reports whether a function sets a link of x to nil, once.
func cutsAt(fn *ssa.Function, x ssa.Value, f *types.Var) bool {
	found := false
	eachStore(fn, func(s *ssa.Store) {
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok || nthField(fa.X, fa.Field) != f {
			return
		}
		if c, isConst := s.Val.(*ssa.Const); isConst && c.Value == nil && oneRead(fa.X, x, 0) {
			found = true
		}
	})
	return found
}

// looksAt reports whether a function reads what follows x, or whether x is the last link.
func looksAt(fn *ssa.Function, x ssa.Value, f *types.Var) bool {
	for i := range instrsOf(fn) {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || nthField(fa.X, fa.Field) != f || !oneRead(fa.X, x, 0) {
			continue
		}
		for _, r := range referrers(fa) {
			if _, read := r.(*ssa.UnOp); read {
				return true
			}
		}
	}
	return false
}

// followsLinks reports whether the function that a call calls reads the links.
func (a *analysis) followsLinks(c ssa.CallInstruction, f *types.Var) bool {
	fn := a.calledFunction(c)
	if fn == nil {
		return false
	}
	for i := range instrsOf(fn) {
		if l, ok := i.(*ssa.UnOp); ok && l.Op == token.MUL && nthFieldOf(l) == f {
			return true
		}
	}
	return false
}
