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

// A field is a second name of one of the entries in a list of the same object, say of the last one. Who puts all entries
// and empties the list must set the field as well: those that find it set use it.

// judgeSecondNames reports the functions that do not.
func (a *analysis) judgeSecondNames() {
	s := a.uses().sites
	for c := range a.productCalls() {
		fn := c.Parent()
		if c.Common().IsInvoke() || !inLoop(c.Block()) || fn.Signature.Recv() == nil || a.inTest(fn) || ends(fn.Name()) || givesUp(fn.Name()) {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			f, owner := rangedField(c.Common().Args[n])
			if f == nil || owner != fn.Params[0] || !emptiesList(fn, f) {
				continue
			}
			str := structOf(owner.Type())
			for k := range str.NumFields() {
				g := str.Field(k).Origin()
				if _, isPtr := g.Type().Underlying().(*types.Pointer); !isPtr || g.Exported() || !types.Identical(g.Type(), elemType(f.Type())) || touchesField(fn, g, 0) || a.setsField(fn, owner, g, 0) {
					continue
				}
				use := a.secondNameUse(fn, f, g)
				if use == nil {
					continue
				}
				a.reportFound(finding{
					pattern: useAfterPut, pos: instrPos(c), fn: fn, cause: instrPos(c),
					message: fmt.Sprintf("all that is in the list %s is put here, and field %s still points to one of them: %s uses it afterwards (%s)", f.Name(), g.Name(), use.Parent().Name(), a.line(instrPos(use))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(use), Message: "used here"}},
				})
			}
		}
	}
}

func elemType(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}

// emptiesList reports whether a function sets the list in a field to nil, or to none of its entries.
func emptiesList(fn *ssa.Function, f *types.Var) (empties bool) {
	eachStore(fn, func(s *ssa.Store) {
		cut, ok := s.Val.(*ssa.Slice)
		empties = empties || fieldAt(s.Addr) == f && (isNilConst(s.Val) || ok && emptyCut(cut))
	})
	return empties
}

// secondNameUse is where another method uses what a field points to as it finds it, if that is always nil or an entry of the
// list in another field, and nobody but those that empty the list sets it to nil.
func (a *analysis) secondNameUse(fn *ssa.Function, list, f *types.Var) (use ssa.Instruction) {
	added := false
	for g, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		if t, ok := s.Val.Type().Underlying().(*types.Struct); ok && hasField(t, f) {
			return nil
		}
		if fieldAt(s.Addr) != f {
			continue
		}
		switch {
		case isNilConst(s.Val):
			if !emptiesList(g, list) || !inLoopPuts(a, g, list) {
				return nil
			}
		case listsAsWell(g, s, list):
			added = true
		case !entryOf(s.Val, list):
			return nil
		}
	}
	if !added || slices.ContainsFunc(a.callsOf(fn), func(c ssa.CallInstruction) bool { return touchesField(c.Parent(), f, 0) || ends(c.Parent().Name()) }) {
		return nil
	}
	for g, i := range a.instrsBeyondTests() {
		l, ok := i.(*ssa.UnOp)
		if !ok || use != nil || g == fn || g.Signature.Recv() == nil || recvType(g) != recvType(fn) || fieldOfValue(l) != f || ends(g.Name()) || precededByStore(l, f) || asksLen(g, list) {
			continue
		}
		for _, r := range referrers(l) {
			if fa, ok := r.(*ssa.FieldAddr); ok && fa.X == l && use == nil {
				use = fa
			}
		}
	}
	return use
}

// asksLen reports whether a function asks how many entries the list in a field has.
func asksLen(fn *ssa.Function, list *types.Var) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Call); ok && isBuiltin(c, "len") && fieldOfValue(c.Call.Args[0]) == list {
			return true
		}
	}
	return false
}

// inLoopPuts reports whether a function puts the entries of the list in a field.
func inLoopPuts(a *analysis, fn *ssa.Function, list *types.Var) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || c.Common().IsInvoke() || !inLoop(c.Block()) {
			continue
		}
		for _, n := range a.uses().sites.putArgs(a, c) {
			if f, _ := rangedField(c.Common().Args[n]); f == list {
				return true
			}
		}
	}
	return false
}

// listsAsWell reports whether a function adds what it stores in a field to the list in another one.
func listsAsWell(fn *ssa.Function, s *ssa.Store, list *types.Var) bool {
	adds := func(v ssa.Value) bool {
		c := appendedTo(v)
		return c != nil && fieldOfValue(c.Call.Args[0]) == list
	}
	if adds(s.Val) {
		return true
	}
	for i := range instrsOf(fn) {
		if l, ok := i.(*ssa.UnOp); ok && l.Op == token.MUL && fieldOfValue(l) == fieldAt(s.Addr) && precedes(s, l) && adds(l) {
			return true
		}
	}
	return false
}

// entryOf reports whether a value is an entry of the list in a field.
func entryOf(v ssa.Value, list *types.Var) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	ia, ok := l.X.(*ssa.IndexAddr)
	return ok && fieldOfValue(ia.X) == list
}
