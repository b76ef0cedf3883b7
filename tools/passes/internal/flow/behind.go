// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A field may be set back in use only where another one is set already, and whoever puts
// the struct empties that other one: the first to set it back in the next life comes
// another way, and finds what the last life left.

// judgeBehind reports such fields.
func (a *analysis) judgeBehind() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		region := f.region(t)
		// A step of use that the last user also takes is not of the region.
		region = slices.DeleteFunc(slices.Clone(region), func(fn *ssa.Function) bool {
			at := func(q poolSite) bool { return q.typ == t && q.fn == fn }
			return !slices.ContainsFunc(f.puts, at) && !slices.ContainsFunc(f.gets, at)
		})
		for v := range s.Fields() {
			v = v.Origin()
			if !a.toldOf[v] && isBool(v.Type()) {
				f.behind(p, s, v, region)
			}
		}
	}
}

// behind judges one flag of a pooled struct.
func (f *forgotten) behind(p poolSite, s *types.Struct, v *types.Var, region []*ssa.Function) {
	ff := f.facts[v]
	if ff == nil || ff.open || len(ff.tests) == 0 || f.putGuarded(ff, p.typ) {
		return
	}
	var set, back ssa.Instruction
	var by *types.Var
	for _, st := range ff.stores {
		switch {
		case st.what == wSet:
			set = st.instr
		case st.what != wZero || slices.Contains(region, st.instr.Parent()):
			return
		default:
			w := f.keyTo(st, s, v, region)
			if w == nil {
				return
			}
			back, by = st.instr, w
		}
	}
	if set == nil || back == nil {
		return
	}
	reset, _ := f.resetOf(s, region)
	if reset == nil {
		return
	}
	f.a.toldOf[v] = true
	f.a.reportFound(finding{
		pattern: missingReset, pos: reset.Pos(), fn: reset,
		message: fmt.Sprintf("%s empties field %s of the pooled %s but not %s, which is set back only where %s is set (%s): the next user finds it as the last one left it", reset.Name(), by.Name(), p.typ.Obj().Name(), v.Name(), by.Name(), f.a.line(instrPos(back))),
		typed:   p.typ,
		related: []goanalysis.RelatedInformation{
			{Pos: instrPos(set), Message: v.Name() + " is set here"},
			{Pos: instrPos(back), Message: "set back here"},
		},
	})
}

// keyTo is the field that has to be set for a store to be come by, and that is empty in
// whatever comes from the pool.
func (f *forgotten) keyTo(st fieldStore, s *types.Struct, v *types.Var, region []*ssa.Function) *types.Var {
	for w := range s.Fields() {
		w = w.Origin()
		ff := f.facts[w]
		if w == v || ff == nil || ff.open || !f.isReset(w, region) {
			continue
		}
		for _, x := range f.arms(ff) {
			b := st.instr.Block()
			if !x.isZero && x.to.Parent() == b.Parent() && (x.to == b || x.to.Dominates(b)) {
				return w
			}
		}
	}
	return nil
}
