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

// What is decoded into a pooled struct is gathered in several slices of it. A reset that cuts
// some of them, and forgets one that is lengthened just like them, leaves that one to grow with
// each use, with the elements of all uses before.

// judgeArenas reports slices of pooled structs that are lengthened and never cut, where the
// reset cuts others.
func (a *analysis) judgeArenas() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		s, ok := t.Underlying().(*types.Struct)
		if !ok || f.ofTwoKinds(t) {
			continue
		}
		region := f.region(t)
		reset, n := f.resetOf(s, region)
		if n == 0 || a.inTest(reset) {
			continue
		}
		like := func(w *types.Var) bool { // cut in the reset, and lengthened elsewhere
			ff := f.facts[w]
			return ff != nil && isSlice(w.Type()) && slices.ContainsFunc(ff.stores, func(x fieldStore) bool { return x.what == wZero && x.instr.Parent() == reset }) &&
				slices.ContainsFunc(ff.stores, func(x fieldStore) bool { return f.lengthens(x) })
		}
		var cut *types.Var
		for w := range s.Fields() {
			w = w.Origin()
			if cut == nil && like(w) {
				cut = w
			}
		}
		if cut == nil {
			continue
		}
		for v := range s.Fields() {
			v = v.Origin()
			ff := f.facts[v]
			if ff == nil || !isSlice(v.Type()) || a.toldOf[v] || len(ff.stores) == 0 || len(ff.reads) == 0 || a.addressUsed(v) {
				continue
			}
			if v.Exported() && t.Obj().Exported() && f.leavesPackage(t) || f.putGuarded(ff, t) || f.assignedOnTake(ff, t) {
				continue
			}
			if slices.ContainsFunc(ff.stores, func(x fieldStore) bool {
				return !f.lengthens(x) || slices.Contains(region, x.instr.Parent()) && x.instr.Parent() == reset
			}) {
				continue
			}
			if f.foundByIndex(v, s) {
				continue
			}
			a.toldOf[v] = true
			first := ff.stores[0].instr
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(p.instr), fn: p.fn,
				message: fmt.Sprintf("slice %s of the pooled %s is lengthened in use (%s) and never cut, as %s cuts %s: it goes on where the last user stopped", v.Name(), t.Obj().Name(), a.line(instrPos(first)), reset.Name(), cut.Name()),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(first), Message: v.Name() + " is lengthened here"}, {Pos: reset.Pos(), Message: "the reset"}},
			})
		}
	}
}

// lengthens reports whether a store gives a field the slice that it had, with elements more.
func (f *forgotten) lengthens(s fieldStore) bool {
	if s.more {
		return true
	}
	st, ok := s.instr.(*ssa.Store)
	if !ok {
		return false
	}
	fa, ok := st.Addr.(*ssa.FieldAddr)
	return ok && isSlice(st.Val.Type()) && lengthensTo(st.Val, fa, 0)
}

func lengthensTo(v ssa.Value, fa *ssa.FieldAddr, depth int) bool {
	had := func(x ssa.Value) bool {
		l, ok := x.(*ssa.UnOp)
		return ok && readsField(l, fa, 5)
	}
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if ok && b.Name() == "append" || funcKey(calledMethod(x)) == "slices.Grow" {
			return had(x.Call.Args[0]) || lengthensTo(x.Call.Args[0], fa, depth+1)
		}
	case *ssa.Slice:
		if x.Low != nil || x.High == nil || !had(x.X) && !lengthensTo(x.X, fa, depth+1) {
			return false
		}
		o, ok := x.High.(*ssa.BinOp)
		return ok && o.Op == token.ADD && (had(sizedBy(o.X)) || had(sizedBy(o.Y)))
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !had(e) && !lengthensTo(e, fa, depth+2) {
				return false
			}
		}
		return true
	}
	return false
}

// addressUsed reports whether the address of a field is used other than to read and set it.
func (a *analysis) addressUsed(v *types.Var) bool {
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if fieldAt(i) != v {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.UnOp, *ssa.DebugRef:
				case *ssa.Store:
					if r.Addr != i {
						return true
					}
				default:
					return true
				}
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil && s.Field(i.Field).Origin() == v {
				return true
			}
		}
	}
	return false
}

// foundByIndex reports whether a slice is one that keeps its elements from use to use: a number of the
// struct, or a map of it, says which of them are taken, or elements are taken off.
func (f *forgotten) foundByIndex(v *types.Var, s *types.Struct) bool {
	ofStruct := func(x ssa.Value) bool {
		return leadsFrom(x, 0, func(y ssa.Value) bool {
			w, _ := fieldLoad(y)
			if w == nil || w == v || structFieldOf(s, w) == nil {
				return false
			}
			_, isMap := w.Type().Underlying().(*types.Map)
			return isMap || isInteger(w.Type())
		})
	}
	for _, r := range f.facts[v].reads {
		l, ok := r.(ssa.Value)
		if !ok || l.Referrers() == nil {
			continue
		}
		for _, q := range referrers(l) {
			switch q := q.(type) {
			case *ssa.IndexAddr:
				if ofStruct(q.Index) {
					return true
				}
			case *ssa.Slice:
				if q.Low != nil && ofStruct(q.Low) || q.High != nil && ofStruct(q.High) {
					return true
				}
			case *ssa.Call:
				if sizeCall(q) == "" {
					continue
				}
				for _, u := range referrers(q) {
					if o, ok := u.(*ssa.BinOp); ok && (ofStruct(o.X) || ofStruct(o.Y)) {
						return true
					}
					if m, ok := u.(*ssa.MapUpdate); ok && m.Map != nil {
						return true // an index for later
					}
				}
			}
		}
	}
	return false
}

// structFieldOf is the field of a struct that a variable is.
func structFieldOf(s *types.Struct, v *types.Var) *types.Var {
	for w := range s.Fields() {
		if w.Origin() == v {
			return w
		}
	}
	return nil
}
