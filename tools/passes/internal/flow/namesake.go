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

// Methods of one name that several types have mean the same to who calls them: where one ends
// the pooled object that it is given, copies what is in it and puts it, and another does the same but for the Put, the
// object is lost. Its callers may be in other packages, which have no way to put.

// judgeNamesakes reports such methods.
func (a *analysis) judgeNamesakes() {
	s := a.uses().sites
	for _, fn := range a.fns {
		if len(s.putter[fn]) == 0 || fn.Signature.Recv() == nil || a.inTest(fn) {
			continue
		}
		for k, p := range fn.Params {
			if k == 0 || !s.putter[fn][k] || !a.pooledOnly(s, p.Type()) {
				continue
			}
			ended := a.changesTo(s, p)
			if len(ended) == 0 {
				continue
			}
			for _, other := range a.fns {
				if q := a.namesake(s, fn, other, p.Type()); q != nil && sameSet(ended, a.changesTo(s, q)) {
					a.reportNamesake(s, fn, q)
				}
			}
		}
	}
}

// namesake is the parameter of another type's method that has the name of fn, where the method only uses
// what it is given of a type.
func (a *analysis) namesake(s *sites, fn, other *ssa.Function, t types.Type) *ssa.Parameter {
	if other == fn || other.Name() != fn.Name() || other.Signature.Recv() == nil || a.inTest(other) || len(other.Blocks) == 0 {
		return nil
	}
	for k, q := range other.Params {
		if k == 0 || !types.Identical(q.Type(), t) || s.putter[other][k] {
			continue
		}
		d := &droppedSearch{a: a, s: s, fn: other, seen: map[ssa.Value]bool{}}
		if !d.only(q) || a.putByCaller(s, other, k) {
			return nil
		}
		return q
	}
	return nil
}

// pooledOnly reports whether values of a pointer type come from a pool, and other packages cannot
// put them: there is no exported function that does, nor a method that is named for it.
func (a *analysis) pooledOnly(s *sites, t types.Type) bool {
	n := pointee(t)
	if n == nil || n.Obj().Pkg() != a.pkg.Pkg || !slices.ContainsFunc(s.gets, func(g poolSite) bool { return g.typ == n.Origin() && !a.inTest(g.fn) }) {
		return false
	}
	return !slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
		if len(s.putter[fn]) == 0 || !token.IsExported(fn.Name()) {
			return false
		}
		for k, p := range fn.Params {
			isRecv := k == 0 && fn.Signature.Recv() != nil
			if s.putter[fn][k] && types.Identical(p.Type(), t) && (isRecv && givesBack(fn.Name()) || fn.Signature.Recv() == nil) {
				return true
			}
		}
		return false
	})
}

// changesTo are the fields of a parameter that a function stores to, and the functions of the package, other than
// those that put it, that it is given to.
func (a *analysis) changesTo(s *sites, p *ssa.Parameter) []any {
	var list []any
	add := func(x any) {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	for _, r := range referrers(p) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			for _, q := range referrers(r) {
				if st, ok := q.(*ssa.Store); ok && st.Addr == ssa.Value(r) {
					add(fieldAt(r))
				}
			}
		case ssa.CallInstruction:
			fn := a.calledFunction(r)
			k := slices.Index(r.Common().Args, ssa.Value(p))
			if fn != nil && k >= 0 && !s.putter[fn][k] {
				add(fn)
			}
		}
	}
	return list
}

// sameSet reports whether two lists without repetition have the same members.
func sameSet(x, y []any) bool {
	return len(x) == len(y) && !slices.ContainsFunc(x, func(v any) bool { return !slices.Contains(y, v) })
}

// putByCaller reports whether some caller of a method in the package, be it through an interface, puts what it passes.
func (a *analysis) putByCaller(s *sites, fn *ssa.Function, k int) bool {
	puts := func(c ssa.CallInstruction, k int) bool {
		if k >= len(c.Common().Args) {
			return true
		}
		x := c.Common().Args[k]
		for i := range instrsOf(c.Parent()) {
			o, ok := i.(ssa.CallInstruction)
			if ok && slices.ContainsFunc(s.putArgs(a, o), func(n int) bool { return unboxed(o.Common().Args[n]) == x }) {
				return true
			}
		}
		return false
	}
	return s.taken[fn] ||
		slices.ContainsFunc(s.callers[fn], func(c ssa.CallInstruction) bool { return !c.Common().IsInvoke() && puts(c, k) }) ||
		slices.ContainsFunc(s.invokes[fn.Name()], func(c ssa.CallInstruction) bool { return puts(c, k-1) })
}

func (a *analysis) reportNamesake(s *sites, fn *ssa.Function, q *ssa.Parameter) {
	n := pointee(q.Type())
	a.reportFound(finding{
		pattern: missingPut, pos: q.Pos(), fn: q.Parent(),
		message: fmt.Sprintf("%s, the pooled %s, is ended here as the %s method of another type does, which puts it (%s): here it is lost", orElse(a.valueName(q), "this"), n.Obj().Name(), fn.Name(), a.line(fn.Pos())),
		typed:   n,
		related: []goanalysis.RelatedInformation{{Pos: fn.Pos(), Message: "this one puts it"}},
	})
}
