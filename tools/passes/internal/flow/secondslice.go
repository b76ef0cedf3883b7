// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A builder keeps the slice that it appends to in one field, and what it took from the pool in another, to put that: the two are one array
// for as long as the slice had room. A method that puts the second field and returns the first one, rather than a copy, gives away what is
// in the pool.

// secondSlices are, by the field whose content goes to a pool, the field that it is the second name of: nothing else is ever stored
// in it than what the other field has just been set to, and nil.
func (a *analysis) secondSlices() map[*types.Var]*types.Var {
	if a.secondSlices0 != nil {
		return a.secondSlices0
	}
	a.secondSlices0 = map[*types.Var]*types.Var{}
	other := map[*types.Var]bool{}
	for _, fn := range a.fns {
		eachStore(fn, func(s *ssa.Store) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || !isSlice(s.Val.Type()) || isNilConst(s.Val) {
				return
			}
			f := fieldAt(fa)
			if f == nil || f.Pkg() != a.pkg.Pkg || f.Exported() {
				return
			}
			first := justSet(s, fa)
			if first == nil || first == f || !types.Identical(first.Type(), f.Type()) || a.secondSlices0[f] != nil && a.secondSlices0[f] != first {
				other[f] = true
				return
			}
			a.secondSlices0[f] = first
		})
	}
	for f := range other {
		delete(a.secondSlices0, f)
	}
	for f, first := range a.secondSlices0 {
		if a.secondSlices0[first] == f {
			delete(a.secondSlices0, f) // neither is the second
			delete(a.secondSlices0, first)
		}
	}
	return a.secondSlices0
}

// justSet is the other field of the same struct that a block has set to what is stored now, before the store.
func justSet(s *ssa.Store, fa *ssa.FieldAddr) *types.Var {
	var first *types.Var
	for _, i := range s.Block().Instrs {
		if i == ssa.Instruction(s) {
			break
		}
		set, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		of, ok := set.Addr.(*ssa.FieldAddr)
		if !ok || of.X != fa.X {
			continue
		}
		if l, ok := s.Val.(*ssa.UnOp); set.Val == s.Val || ok && fieldOfValue(l) == fieldAt(of) && loadsFrom(l, fa.X) {
			first = fieldAt(of)
		}
	}
	return first
}

// loadsFrom reports whether a value was read from a field of the object at an address.
func loadsFrom(l *ssa.UnOp, x ssa.Value) bool {
	fa, ok := l.X.(*ssa.FieldAddr)
	return ok && fa.X == x
}

// secondSliceAtExit looks for results that are the memory which a path put by its second name.
func (a *analysis) secondSliceAtExit(e exit) {
	if a.quiet > 0 || len(e.st.rel) == 0 || len(e.results) == 0 {
		return
	}
	for _, res := range e.results {
		m := memory(res)
		if m.kind != kLoad || m.a.kind != kField || m.a.a.kind != kParam || m.typ == nil || !isSlice(m.typ) || a.empty(e.st, res) {
			continue
		}
		first, _ := m.a.obj.(*types.Var)
		if first == nil {
			continue
		}
		for _, x := range sortedKeys(e.st.rel) {
			r := e.st.rel[x]
			if x.kind != kLoad || x.a.kind != kField || x.a.a != m.a.a || x.a == m.a || r == nil {
				continue
			}
			second, _ := x.a.obj.(*types.Var)
			if second == nil || a.secondSlices()[second.Origin()] != first.Origin() {
				continue
			}
			if e.st.measured[m] != 0 {
				continue // one that grew, and one that did not
			}
			pos, fn := r.outermost()
			a.secondPuts = append(a.secondPuts, finding{
				pattern: returnAlias, pos: pos, fn: fn, cause: r.pos(),
				message: "memory of field " + first.Name() + " is returned after it was put in " + r.pool.label() + " as field " + second.Name() + " (" + a.line(r.pos()) + "), which is set to the same slice",
				related: append([]goanalysis.RelatedInformation(nil), a.related(rel("the Put", &r.event))...),
			})
		}
	}
}

// judgeSecondSlices reports what these paths showed, where the sequences of an object's methods did not.
func (a *analysis) judgeSecondSlices() {
	for _, f := range a.secondPuts {
		if !a.foundIn(returnAlias, f.fn) {
			a.reportFound(f)
		}
	}
}
