// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object whose method puts the slices that a list in a field has was filled from the pool. Where another function of
// the package, which others call, lets it have parts of a slice that it was given, the method puts memory of its caller's:
// that has the whole still, and nobody gives away a slice in pieces. It is no such part where callers take
// their slices from the pool themselves, or where the method asks for what the object owns.

// A fieldPut is a Put of an element of the list in a field.
type fieldPut struct {
	field *types.Var
	put   ssa.CallInstruction // of the pool
	at    ssa.Instruction     // in the function that reads the field
}

// judgeCallersParts reports such parts.
func (a *analysis) judgeCallersParts() {
	done := map[*types.Var]bool{}
	for c := range a.poolCalls("Put") {
		for _, p := range a.fieldsPut(c.Common().Args[1], c, c, 0) {
			if done[p.field] || p.field.Exported() || !a.asItIs(p) || a.givenToOthers(a.staticPool(c.Common().Args[0])) {
				continue
			}
			store, from := a.callersPart(p.field)
			if store == nil {
				continue
			}
			done[p.field] = true
			pool := a.staticPool(c.Common().Args[0])
			a.reportFound(finding{
				pattern: wrongPool, pos: instrPos(store), fn: store.Parent(), cause: instrPos(p.at),
				message: fmt.Sprintf("field %s gets a part of what the caller of %s gave it, and what is in it is put in %s (%s): the caller has that memory still", p.field.Name(), from.Parent().Name(), pool.Name(), a.line(instrPos(p.at))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(p.at), Message: "the Put"}, {Pos: from.Pos(), Message: "given here"}},
			})
		}
	}
}

// fieldsPut finds the fields of whose lists a value that goes to a pool is an element.
func (a *analysis) fieldsPut(v ssa.Value, put ssa.CallInstruction, at ssa.Instruction, depth int) (found []fieldPut) {
	if depth > 6 || a.staticPool(put.Common().Args[0]) == nil {
		return nil
	}
	switch x := unboxed(v).(type) {
	case *ssa.Slice:
		if x.Low == nil {
			return a.fieldsPut(x.X, put, at, depth+1)
		}
	case *ssa.Alloc: // &b
		for _, r := range referrers(x) {
			if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(x) {
				found = append(found, a.fieldsPut(s.Val, put, at, depth+1)...)
			}
		}
	case *ssa.Parameter:
		k := slices.Index(x.Parent().Params, x)
		for _, c := range a.callsOf(x.Parent()) {
			if !a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) {
				found = append(found, a.fieldsPut(c.Common().Args[k], put, c, depth+2)...)
			}
		}
	case *ssa.UnOp:
		if x.Op != token.MUL || !isSlice(x.Type()) {
			break
		}
		if e, ok := x.X.(*ssa.IndexAddr); ok {
			if f, _ := fieldLoad(e.X); f != nil {
				return []fieldPut{{f, put, at}}
			}
		}
	}
	return found
}

// asItIs reports whether what is in a field is put without a question for its size, or for another field of its struct,
// which may say whose it is.
func (a *analysis) asItIs(p fieldPut) bool {
	if a.testsSize(p.put.Parent()) || a.testsSize(p.at.Parent()) {
		return false
	}
	for b := p.at.Block().Idom(); b != nil; b = b.Idom() {
		if i, ok := lastInstr(b).(*ssa.If); ok && asksAnother(i.Cond, p.field, 0) {
			return false
		}
	}
	return true
}

// asksAnother reports whether a condition asks for a field other than f, or for what some function knows.
func asksAnother(v ssa.Value, f *types.Var, depth int) bool {
	if depth > 4 {
		return true
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return asksAnother(v.X, f, depth+1) || asksAnother(v.Y, f, depth+1)
	case *ssa.UnOp:
		if g, _ := fieldLoad(v); g != nil {
			return g != f
		}
		if _, elem := v.X.(*ssa.IndexAddr); elem {
			return false
		}
		return asksAnother(v.X, f, depth+1)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
			return asksAnother(v.Call.Args[0], f, depth+1)
		}
		return true
	case *ssa.Parameter:
		return depth == 0
	}
	return false
}

// givenToOthers reports whether a function that other packages call returns what a pool gives, so that they may have
// memory of the pool's.
func (a *analysis) givenToOthers(pool types.Object) bool {
	if pool == nil || pool.Exported() {
		return true
	}
	return slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
		if fn.Parent() != nil || !outOfView(fn) {
			return false
		}
		for v := range fn.Signature.Results().Variables() {
			if isSlice(deref(v.Type())) && a.takesFrom(fn, pool, 0) {
				return true
			}
		}
		return false
	})
}

// takesFrom reports whether a function takes a value from a pool, or calls one that does.
func (a *analysis) takesFrom(fn *ssa.Function, pool types.Object, depth int) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if m := calledMethod(c); m != nil && funcKey(m) == "sync.Pool.Get" && !c.Common().IsInvoke() && a.staticPool(c.Common().Args[0]) == pool {
			return true
		}
		if callee := a.calledFunction(c); callee != nil && depth < 3 && a.takesFrom(callee, pool, depth+1) {
			return true
		}
	}
	return false
}

// callersPart finds where the list in a field gets a part of a slice that callers out of view gave.
func (a *analysis) callersPart(f *types.Var) (store ssa.Instruction, from *ssa.Parameter) {
	for fn, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok || fn.Parent() != nil {
			continue
		}
		var v ssa.Value
		switch addr := s.Addr.(type) {
		case *ssa.FieldAddr:
			if fieldAt(addr) != f {
				continue
			}
			if c, ok := s.Val.(*ssa.Call); ok && isBuiltin(c, "append") && len(c.Call.Args) == 2 {
				v = onlyVararg(c.Call.Args[1])
			}
		case *ssa.IndexAddr:
			if g, _ := fieldLoad(addr.X); g != f {
				continue
			}
			v = s.Val
		}
		if v == nil {
			continue
		}
		if p := a.partOfGiven(v, false, 0); p != nil {
			return s, p
		}
	}
	return nil, nil
}

// partOfGiven is the parameter of a function that others call of which a slice is a part.
func (a *analysis) partOfGiven(v ssa.Value, cut bool, depth int) *ssa.Parameter {
	if depth > 8 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Slice:
		if emptyCut(x) || !isSlice(x.X.Type()) {
			return nil
		}
		return a.partOfGiven(x.X, cut || x.Low != nil || x.High != nil, depth+1)
	case *ssa.ChangeType:
		return a.partOfGiven(x.X, cut, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if p := a.partOfGiven(e, cut, depth+2); p != nil {
				return p
			}
		}
	case *ssa.Parameter:
		fn := x.Parent()
		if fn.Parent() != nil || !isSlice(x.Type()) {
			return nil
		}
		if outOfView(fn) {
			if cut {
				return x
			}
			return nil
		}
		k := slices.Index(fn.Params, x)
		for _, c := range a.callsOf(fn) {
			if a.inTest(c.Parent()) || c.Common().IsInvoke() || k >= len(c.Common().Args) {
				continue
			}
			if p := a.partOfGiven(c.Common().Args[k], cut, depth+2); p != nil {
				return p
			}
		}
	}
	return nil
}
