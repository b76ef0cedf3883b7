// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What is put clears some of what it was lent and forgets the rest: a request, a
// connection, a context. Between the two the value is often in the hands of code that
// is not in view, so that no path shows it; all stores to the field do.

// judgeKeptRefs reports fields that hold on to what lives as long as one request, where
// the function that puts the struct clears fields like it.
func (a *analysis) judgeKeptRefs() {
	f := a.uses()
	done := map[*types.Named]bool{}
	for _, p := range f.puts {
		t := p.typ
		if t.Obj().Pkg() != a.pkg.Pkg || done[t] || a.inTest(p.fn) {
			continue
		}
		done[t] = true
		region := f.puttingRegion(t)
		var missed []*fieldFacts
		cleared := false
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
			ff := f.facts[v]
			_, isFunc := v.Type().Underlying().(*types.Signature)
			if ff == nil || !keepsAlive(v.Type()) && !isFunc {
				return
			}
			switch {
			case slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return nils(s.instr) && slices.Contains(region, s.instr.Parent()) }):
				cleared = cleared || slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.given }) // lent as well
			case !ff.open && !a.toldOf[v] && lentPerUse(v.Type()) && len(ff.stores) > 0 && !slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
				return !s.given || slices.Contains(region, s.instr.Parent()) && !f.takesOne(s.instr.Parent(), t) && !f.callsGet(s.instr.Parent(), t)
			}):
				missed = append(missed, ff)
			}
		})
		if !cleared || len(missed) == 0 || a.foundIn(retainedRefs, p.fn) {
			continue
		}
		ff := missed[0]
		a.reportFound(finding{
			pattern: retainedRefs, pos: instrPos(p.instr), fn: p.fn,
			message: fmt.Sprintf("field %s of the pooled %s still leads to what it was given when the value is put, although other fields are cleared: the pool keeps that alive", ff.field.Name(), t.Obj().Name()),
			typed:   t,
			related: []goanalysis.RelatedInformation{{Pos: instrPos(ff.stores[0].instr), Message: "set here"}},
		})
	}
}

// callsGet reports whether a function takes a value of a type from a pool.
func (f *forgotten) callsGet(fn *ssa.Function, t *types.Named) bool {
	return slices.ContainsFunc(f.gets, func(p poolSite) bool { return p.typ == t && p.fn == fn })
}

// nils reports whether an instruction stores nil.
func nils(i ssa.Instruction) bool {
	s, ok := i.(*ssa.Store)
	return ok && isNilConst(s.Val)
}

// puttingRegion is the functions that put values of a type, and those that they call on
// such values.
func (f *forgotten) puttingRegion(t *types.Named) []*ssa.Function {
	all := f.gets
	f.gets = nil
	out := f.region(t)
	f.gets = all
	return out
}

// lentPerUse reports whether a type of the standard library is that of what a caller
// lends for one use.
func lentPerUse(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() {
	case "context":
		return n.Obj().Name() == "Context"
	case "net/http":
		return n.Obj().Name() == "Request" || n.Obj().Name() == "ResponseWriter" || n.Obj().Name() == "Response"
	case "io", "bufio":
		_, isIface := n.Underlying().(*types.Interface)
		return isIface || n.Obj().Pkg().Path() == "bufio"
	case "net":
		return n.Obj().Name() == "Conn"
	}
	return false
}
