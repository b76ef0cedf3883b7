// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that makes one list of structs out of another may give each new struct a slice of the old one's. Where
// the elements of both lists go to pools, each with its slices cut to length 0 to be appended to, two later users
// write to one array. The lists are fields: which function puts what is in them does not matter.

// judgeSharedSlices reports such stores.
func (a *analysis) judgeSharedSlices() {
	lists := a.listsPut()
	if len(lists) < 2 {
		return
	}
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			to, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || !isSlice(s.Val.Type()) {
				return
			}
			l, ok := s.Val.(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				return
			}
			from, ok := l.X.(*ssa.FieldAddr)
			if !ok || from.X == to.X {
				return
			}
			given, had := a.listOfNew(to.X), a.elementOf(from.X)
			if given == nil || had == nil || given == had || lists[given] == nil || lists[had] == nil {
				return
			}
			f, g := fieldAt(to), fieldAt(from)
			if !a.cutForPut(f) || !a.cutForPut(g) || storesOther(fn, from) || storesOther(fn, to) {
				return
			}
			a.reportFound(finding{
				pattern: storeAlias, pos: instrPos(s), fn: fn,
				message: fmt.Sprintf("field %s is given the slice in field %s of another struct, and the elements of %s and of %s both go to pools with their slices (%s, %s): two later users append to one array; copy it",
					f.Name(), g.Name(), given.Name(), had.Name(), a.line(instrPos(lists[given])), a.line(instrPos(lists[had]))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(lists[given]), Message: "elements of " + given.Name() + " are put here"},
					{Pos: instrPos(lists[had]), Message: "elements of " + had.Name() + " are put here"},
				},
			})
		})
	}
}

// listsPut are the fields of which some function puts the elements, with a Put of each.
func (a *analysis) listsPut() map[*types.Var]ssa.Instruction {
	lists := map[*types.Var]ssa.Instruction{}
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		a.eachPut(fn, func(c ssa.CallInstruction, x ssa.Value) {
			if f := a.elementOf(x); f != nil && lists[f] == nil {
				lists[f] = c
			}
		})
	}
	return lists
}

// elementOf is the field with the list that a value is an element of.
func (a *analysis) elementOf(x ssa.Value) *types.Var {
	l, ok := x.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil
	}
	at, ok := l.X.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	switch list := at.X.(type) {
	case *ssa.UnOp:
		if list.Op == token.MUL {
			return fieldAt(list.X)
		}
	case *ssa.Parameter:
		// A function that is given the list, by fields of one name.
		var field *types.Var
		for _, c := range a.callsOf(list.Parent()) {
			k := slices.Index(list.Parent().Params, list)
			if c.Common().IsInvoke() || k >= len(c.Common().Args) {
				return nil
			}
			l, ok := c.Common().Args[k].(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				return nil
			}
			f := fieldAt(l.X)
			if f == nil || field != nil && f != field {
				return nil
			}
			field = f
		}
		return field
	}
	return nil
}

// listOfNew is the field with a list that a struct which a function made is appended to.
func (a *analysis) listOfNew(x ssa.Value) *types.Var {
	made, ok := x.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range referrers(made) {
		s, ok := r.(*ssa.Store)
		if !ok || s.Val != ssa.Value(made) {
			continue
		}
		at, ok := s.Addr.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		if l, ok := at.X.(*ssa.UnOp); ok && l.Op == token.MUL {
			return fieldAt(l.X) // req.List[i] = x
		}
		more, ok := at.X.(*ssa.Alloc)
		if !ok {
			continue
		}
		for _, q := range referrers(more) {
			sl, ok := q.(*ssa.Slice)
			if !ok {
				continue
			}
			for _, u := range referrers(sl) {
				if c, ok := u.(*ssa.Call); ok && isBuiltin(c, "append") {
					for _, w := range referrers(c) {
						if st, ok := w.(*ssa.Store); ok && st.Val == ssa.Value(c) && fieldAt(st.Addr) != nil {
							return fieldAt(st.Addr)
						}
					}
				}
			}
		}
	}
	return nil
}

// cutForPut reports whether the package cuts the slice in a field to length 0, and keeps it.
func (a *analysis) cutForPut(f *types.Var) bool {
	for _, fn := range a.fns {
		found := false
		eachStore(fn, func(s *ssa.Store) {
			cut, ok := s.Val.(*ssa.Slice)
			if !ok || fieldAt(s.Addr) != f || nthFieldOf(cut.X) != f || cut.High == nil {
				return
			}
			c, ok := cut.High.(*ssa.Const)
			found = found || ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
		})
		if found {
			return true
		}
	}
	return false
}

// storesOther reports whether a function stores to a field of an object more than what it was given first: the
// slice there gives way to another.
func storesOther(fn *ssa.Function, at *ssa.FieldAddr) bool {
	n := 0
	eachStore(fn, func(s *ssa.Store) {
		if to, ok := s.Addr.(*ssa.FieldAddr); ok && to.X == at.X && to.Field == at.Field {
			n++
		}
	})
	for _, r := range referrers(at) {
		if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(at) {
			return n > 1
		}
	}
	return n > 0
}
