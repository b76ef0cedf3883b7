// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A list in a pooled struct may be lengthened over old entries to fill the slices in them again. When a
// function chosen at run time gave some of the entries, and the list goes to the pool cut to length 0, the slices
// that are filled are those of somebody who may still have them. Nothing is told where entries of the type are
// cleared, copied or set as a whole, or the slices in them ever set to something else than room that they had.

// A givenEntryList is what is known of a list in a pooled struct.
type givenEntryList struct {
	field *types.Var
	added *ssa.Store // the entries of others
	cut   *ssa.Store // to length 0
}

// judgeGivenEntries reports such lists.
func (a *analysis) judgeGivenEntries() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		collectFields(p.typ, 0, func(v *types.Var, _ *types.Struct) {
			l, ok := v.Type().Underlying().(*types.Slice)
			if !ok || a.toldOf[v] || v.Exported() && f.leavesPackage(p.typ) {
				return
			}
			n, _ := types.Unalias(l.Elem()).(*types.Named)
			if n == nil || n.Obj().Pkg() != a.pkg.Pkg || f.clearedWhole(n) || a.clearsAny(n) {
				return
			}
			if s, ok := n.Underlying().(*types.Struct); ok {
				f.givenEntries(p, v, n, s)
			}
		})
	}
}

// givenEntries judges one list.
func (f *forgotten) givenEntries(p poolSite, v *types.Var, elem *types.Named, s *types.Struct) {
	ff := f.facts[v]
	if ff == nil || f.a.addressLeaves(v) {
		return
	}
	list := givenEntryList{field: v}
	for _, x := range ff.stores {
		st, ok := x.instr.(*ssa.Store)
		if !ok || fieldAt(st.Addr) != v {
			return // emptied as a whole
		}
		fa := st.Addr.(*ssa.FieldAddr)
		switch val := st.Val.(type) {
		case *ssa.Const:
			return
		case *ssa.Slice:
			if x.what == wZero && readsField(val.X, fa, 0) {
				list.cut = st
			}
		case *ssa.Call:
			if isBuiltin(val, "append") && readsField(val.Call.Args[0], fa, 0) && list.added == nil && chosenElsewhere(f.a, val.Call.Args[1]) {
				list.added = st
			}
		}
	}
	if list.cut == nil || list.added == nil {
		return
	}
	again := f.filledAgain(v, elem, s)
	if again == nil {
		return
	}
	f.a.toldOf[v] = true
	f.a.reportFound(finding{
		pattern: missingReset, pos: instrPos(list.cut), fn: list.cut.Parent(),
		message: fmt.Sprintf("field %s of the pooled %s keeps the entries that others gave (%s) behind its new length, and the next user fills the slices in them again (%s): clear them first", v.Name(), p.typ.Obj().Name(), f.a.line(instrPos(list.added)), f.a.line(instrPos(again))),
		typed:   p.typ,
		related: []goanalysis.RelatedInformation{{Pos: instrPos(list.added), Message: "what others gave is appended here"}, {Pos: instrPos(again), Message: "filled again here"}},
	})
}

// chosenElsewhere reports whether a slice is what a method of an interface gave, none of whose types are in view.
func chosenElsewhere(a *analysis, v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	c, ok := v.(*ssa.Call)
	if !ok || !c.Call.IsInvoke() {
		return false
	}
	i, ok := c.Call.Value.Type().Underlying().(*types.Interface)
	return ok && len(a.implementers(i)) == 0
}

// filledAgain is where a slice in an old entry of a list is cut to what it is to hold next. It is nil where entries, or
// the slices in them, are set in another way anywhere.
func (f *forgotten) filledAgain(v *types.Var, elem *types.Named, s *types.Struct) (again *ssa.Store) {
	for _, i := range f.a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			if ia, ok := i.Addr.(*ssa.IndexAddr); ok && pointee(ia.Type()) == elem && !isAlloc(ia.X) {
				return nil
			}
		case *ssa.IndexAddr:
			if pointee(i.Type()) != elem || !f.lengthened(i.X, 0) || !slices.ContainsFunc(f.listFields(i.X, 0), func(fa *ssa.FieldAddr) bool { return fieldAt(fa) == v }) {
				continue
			}
			for _, r := range referrers(i) {
				fa, ok := r.(*ssa.FieldAddr)
				if !ok || !isSlice(fieldAt(fa).Type()) {
					continue
				}
				for _, q := range referrers(fa) {
					if st, ok := q.(*ssa.Store); ok && st.Addr == ssa.Value(fa) && again == nil && f.roomOf(st.Val, fa, 0) {
						again = st
					}
				}
			}
		}
	}
	if again == nil {
		return nil
	}
	for _, x := range f.facts[fieldAt(again.Addr)].stores {
		st, ok := x.instr.(*ssa.Store)
		if !ok || fieldAt(st.Addr) == nil || !f.roomOf(st.Val, st.Addr.(*ssa.FieldAddr), 0) {
			return nil
		}
	}
	return again
}

// isAlloc reports whether a value is a variable of its function's, as the array of variable arguments is.
func isAlloc(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// roomOf reports whether a slice is what a field had at another length, or something appended to that, be it through
// a function that gives its argument so.
func (f *forgotten) roomOf(v ssa.Value, fa *ssa.FieldAddr, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Slice:
		return x.High != nil && readsField(x.X, fa, 0)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return f.roomOf(e, fa, depth+1) })
	case *ssa.Call:
		if isBuiltin(x, "append") {
			return f.roomOf(x.Call.Args[0], fa, depth+1)
		}
		fn := f.a.calledFunction(x)
		if fn == nil {
			return false
		}
		for k, arg := range x.Call.Args {
			if k < len(fn.Params) && isSlice(arg.Type()) && readsField(arg, fa, 0) && givesLengthened(fn, fn.Params[k]) {
				return true
			}
		}
	}
	return false
}

// givesLengthened reports whether a function returns a parameter at another length.
func givesLengthened(fn *ssa.Function, p *ssa.Parameter) bool {
	is := func(v ssa.Value) bool {
		s, ok := v.(*ssa.Slice)
		return ok && s.High != nil && s.X == ssa.Value(p)
	}
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || len(r.Results) != 1 {
			continue
		}
		phi, _ := r.Results[0].(*ssa.Phi)
		if is(r.Results[0]) || phi != nil && slices.ContainsFunc(phi.Edges, is) {
			return true
		}
	}
	return false
}
