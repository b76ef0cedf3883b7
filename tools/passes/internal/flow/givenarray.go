// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A slice in a pooled struct may be one that a caller gave, and not a copy. A reset that cuts it to length 0 keeps
// its array, and where the next user appends to it the caller's memory is written over. Callers may give up what they
// pass; that they do not is plain where the field is set to nil elsewhere, with nobody to have it, and other takers leave it as it is.

// judgeGivenArrays reports such resets.
func (a *analysis) judgeGivenArrays() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		s, ok := p.typ.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for v := range s.Fields() {
			v := v.Origin()
			if ff := f.facts[v]; ff != nil && isSlice(v.Type()) && !a.toldOf[v] && !(v.Exported() && f.leavesPackage(p.typ)) {
				f.givenArray(p, v, ff)
			}
		}
	}
}

// givenArray judges one field.
func (f *forgotten) givenArray(p poolSite, v *types.Var, ff *fieldFacts) {
	var given, cut, added *ssa.Store
	var dropped []*ssa.Store
	for _, x := range ff.stores {
		st, ok := x.instr.(*ssa.Store)
		if !ok || fieldAt(st.Addr) != v {
			return // emptied as a whole, or cleared
		}
		switch val := st.Val.(type) {
		case *ssa.Slice:
			if n, ok := val.High.(*ssa.Const); ok && isZero(n.Value) && readsField(val.X, st.Addr.(*ssa.FieldAddr), 0) && f.ofLife(p.typ, st.Parent()) {
				cut = st
			}
		case *ssa.Const:
			dropped = append(dropped, st)
		case *ssa.Parameter:
			if given == nil && f.fromOutside(val, map[*ssa.Parameter]bool{}) {
				given = st
			}
		case *ssa.Call:
			if x.more && added == nil && !slices.ContainsFunc(ff.stores, func(y fieldStore) bool {
				return y.instr != x.instr && y.instr.Parent() == st.Parent() && precedes(y.instr, st)
			}) {
				added = st
			}
		}
	}
	if given == nil || cut == nil || added == nil || !slices.ContainsFunc(dropped, func(d *ssa.Store) bool { return d.Parent() != cut.Parent() && !givesAwaySlice(d.Parent(), v) }) {
		return
	}
	set, left := f.takersOf(p.typ, v)
	if left == nil || f.a.addressLeaves(v) || !slices.ContainsFunc(set, func(x setAt) bool { return x.store == given }) {
		return
	}
	f.a.toldOf[v] = true
	f.a.reportFound(finding{
		pattern: missingReset, pos: instrPos(cut), fn: cut.Parent(),
		message: fmt.Sprintf("field %s of the pooled %s may have the array of what a caller gave (%s): cut to length 0 it keeps that, and the next user appends to it (%s); set it to nil", v.Name(), p.typ.Obj().Name(), f.a.line(instrPos(given)), f.a.line(instrPos(added))),
		typed:   p.typ,
		related: []goanalysis.RelatedInformation{{Pos: instrPos(given), Message: "set to what a caller gave here"}, {Pos: instrPos(left), Message: "taken, and not set, here"}, {Pos: instrPos(added), Message: "appended to here"}},
	})
}

// givesAwaySlice reports whether a function does more with the slice in a field than look at it and append: it may be set to nil
// for others to have it.
func givesAwaySlice(fn *ssa.Function, v *types.Var) bool {
	for i := range instrsOf(fn) {
		l, ok := i.(*ssa.UnOp)
		if !ok || fieldAt(l.X) != v {
			continue
		}
		for _, r := range referrers(l) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.IndexAddr:
			case *ssa.Call:
				if _, ok := r.Call.Value.(*ssa.Builtin); !ok {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

// ofLife reports whether a function puts values of a type or takes them, or is called by one that does.
func (f *forgotten) ofLife(t *types.Named, fn *ssa.Function) bool {
	is := func(fn *ssa.Function) bool {
		at := func(p poolSite) bool { return p.typ == t && origin(p.fn) == origin(fn) }
		return slices.ContainsFunc(f.puts, at) || slices.ContainsFunc(f.gets, at)
	}
	return is(fn) || slices.ContainsFunc(f.callers[origin(fn)], func(c ssa.CallInstruction) bool { return is(c.Parent()) })
}

// fromOutside reports whether a parameter may have what the package was given by others, as it is.
func (f *forgotten) fromOutside(p *ssa.Parameter, seen map[*ssa.Parameter]bool) bool {
	if seen[p] {
		return false
	}
	seen[p] = true
	fn := p.Parent()
	k := slices.Index(fn.Params, p)
	inView := false
	for _, c := range f.callers[origin(fn)] {
		if c.Parent() == fn || f.a.inTest(c.Parent()) || c.Common().IsInvoke() || k >= len(c.Common().Args) {
			continue
		}
		inView = true
		v := c.Common().Args[k]
		for s, ok := v.(*ssa.Slice); ok; s, ok = v.(*ssa.Slice) {
			v = s.X
		}
		if q, ok := v.(*ssa.Parameter); ok && f.fromOutside(q, seen) {
			return true
		}
	}
	return !inView && !f.taken[origin(fn)] || callableElsewhere(fn)
}

// takersOf is what those who take values of a type from the pool set a field to, and one who leaves it as it is.
func (f *forgotten) takersOf(t *types.Named, v *types.Var) (set []setAt, left ssa.Instruction) {
	setBy := map[*ssa.Function]bool{} // functions that take one and set the field of it
	var lacks []poolSite
	for _, g := range f.gets {
		if g.typ != t || f.a.inTest(g.fn) {
			continue
		}
		bases := takenValues(g.instr)
		if len(bases) == 0 {
			continue
		}
		ps := f.setsOf(bases, g.instr, false, 0)
		switch {
		case ps.open:
			return nil, nil
		case len(ps.at[v]) > 0:
			set = append(set, ps.at[v]...)
			setBy[origin(g.fn)] = true
		default:
			lacks = append(lacks, g)
		}
	}
	for _, g := range lacks {
		if f.getter[g.fn] && len(f.callers[origin(g.fn)]) > 0 {
			continue // its callers may
		}
		if c, ok := g.instr.(*ssa.Call); ok && setBy[f.a.calledFunction(c)] {
			continue
		}
		if left == nil || instrPos(g.instr) < instrPos(left) {
			left = g.instr
		}
	}
	return set, left
}
