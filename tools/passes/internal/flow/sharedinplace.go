// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that is given an object to fill, or nil, may fill the slices in the object in place and, where there
// is none, make one that has the slices of its own owner. Who leaves the result in the element of a slice that it had the
// object from, and puts the slice with its elements, has the next user fill the owner's memory.

// A sharingFiller is such a function.
type sharingFiller struct {
	param   int
	result  int
	shared  *ssa.Store // the owner's slice in what is new
	inPlace *ssa.Store // in what was given
}

// judgeSharedInPlace reports elements that such results are left in.
func (a *analysis) judgeSharedInPlace() {
	f := a.uses()
	if len(f.puts) == 0 && !a.puts() {
		return
	}
	var put func(elem types.Type) ssa.CallInstruction
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		s := f.sharingFiller(fn)
		if s == nil {
			continue
		}
		if put == nil {
			put = a.slicesPut()
		}
		for _, c := range a.callsOf(fn) {
			call, ok := c.(*ssa.Call)
			if !ok || call.Call.IsInvoke() || a.inTest(call.Parent()) || s.param >= len(call.Call.Args) {
				continue
			}
			st, elem := leftInElement(call, s)
			if st == nil {
				continue
			}
			p := put(elem)
			if p == nil || a.clearsAny(elem) || a.filledFirst(fieldAt(st.Addr), elem, fn) || !a.makesUnset(elem) {
				continue
			}
			a.reportSharedInPlace(st, s, p)
		}
	}
}

func (a *analysis) reportSharedInPlace(st *ssa.Store, s *sharingFiller, put ssa.CallInstruction) {
	own, v := fieldAt(s.shared.Addr), fieldAt(st.Addr)
	what := "an element of a slice"
	if v != nil {
		what = "field " + v.Name() + " of an element"
	}
	a.reportFound(finding{
		pattern: storeAlias, pos: instrPos(st), fn: st.Parent(),
		message: fmt.Sprintf("%s that goes to a pool (%s) keeps what has the %s of somebody else where it was nil (%s), and the next user fills that in place (%s): set the element to an object of its own first", what, a.line(instrPos(put)), own.Name(), a.line(instrPos(s.shared)), a.line(instrPos(s.inPlace))),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(s.shared), Message: "shared here"}, {Pos: instrPos(s.inPlace), Message: "filled in place here"}, {Pos: instrPos(put), Message: "the Put"}},
	})
}

// sharingFiller tells whether a function fills a parameter in place, and returns a new object that shares a slice with what
// another parameter leads to.
func (f *forgotten) sharingFiller(fn *ssa.Function) *sharingFiller {
	for k, p := range fn.Params {
		res := -1
		for n := range fn.Signature.Results().Len() {
			if types.Identical(fn.Signature.Results().At(n).Type(), p.Type()) {
				res = n
			}
		}
		if res < 0 || pointee(p.Type()) == nil || structOf(p.Type()) == nil || !askedForNil(p) {
			continue
		}
		for _, r := range referrers(p) {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok || !isSlice(fieldAt(fa).Type()) {
				continue
			}
			for _, q := range referrers(fa) {
				st, ok := q.(*ssa.Store)
				if !ok || st.Addr != ssa.Value(fa) || !f.roomOf(st.Val, fa, 0) {
					continue
				}
				if shared := newWithOthers(fn, p, fieldAt(fa), res); shared != nil {
					return &sharingFiller{k, res, shared, st}
				}
			}
		}
	}
	return nil
}

// askedForNil reports whether a function asks whether a parameter is nil.
func askedForNil(p *ssa.Parameter) bool {
	return slices.ContainsFunc(referrers(p), func(r ssa.Instruction) bool {
		b, ok := r.(*ssa.BinOp)
		return ok && (isNilConst(b.X) || isNilConst(b.Y))
	})
}

// newWithOthers is where the field of a new object that is returned is set to a slice that is in a field of what another
// parameter points to, and that stays there.
func newWithOthers(fn *ssa.Function, p *ssa.Parameter, v *types.Var, res int) (shared *ssa.Store) {
	eachStore(fn, func(st *ssa.Store) {
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || shared != nil || fieldAt(fa) != v {
			return
		}
		al, ok := fa.X.(*ssa.Alloc)
		from, owner := fieldLoad(st.Val)
		q, isParam := owner.(*ssa.Parameter)
		if !ok || from == nil || !isParam || q == p || !isReturned(al, res) {
			return
		}
		given := false
		eachStore(fn, func(o *ssa.Store) { given = given || fieldAt(o.Addr) == from && from != v })
		if !given {
			shared = st
		}
	})
	return shared
}

// isReturned reports whether a value is a result of its function, on some path.
func isReturned(v ssa.Value, n int) bool {
	for _, b := range v.Parent().Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || n >= len(r.Results) {
			continue
		}
		phi, _ := r.Results[n].(*ssa.Phi)
		if r.Results[n] == v || phi != nil && slices.Contains(phi.Edges, v) {
			return true
		}
	}
	return false
}

// leftInElement is where the result of a call goes to the element of a slice, or a field of it, that the call was given,
// with the type of the elements.
func leftInElement(call *ssa.Call, s *sharingFiller) (*ssa.Store, types.Type) {
	given, ok := call.Call.Args[s.param].(*ssa.UnOp)
	if !ok {
		return nil, nil
	}
	at := elementOf(given.X)
	if at == nil || !isSlice(at.X.Type()) {
		return nil, nil
	}
	var v ssa.Value = call
	if _, tuple := call.Type().(*types.Tuple); tuple {
		v = part(call, s.result)
	}
	if v == nil {
		return nil, nil
	}
	for _, r := range referrers(v) {
		st, ok := r.(*ssa.Store)
		if ok && st.Val == v && oneSlot(st.Addr, given.X) {
			return st, at.X.Type().Underlying().(*types.Slice).Elem()
		}
	}
	return nil, nil
}

// oneSlot reports whether two addresses are of one element, or of one field of it.
func oneSlot(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *ssa.FieldAddr:
		y, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && oneSlot(x.X, y.X)
	case *ssa.IndexAddr:
		y, ok := y.(*ssa.IndexAddr)
		return ok && oneRead(x.X, y.X, 0) && oneRead(x.Index, y.Index, 0)
	}
	return false
}

// slicesPut finds where slices of a type go to a pool.
func (a *analysis) slicesPut() func(elem types.Type) ssa.CallInstruction {
	through := a.storers()
	puts := map[string]ssa.CallInstruction{}
	for c := range a.productCalls() {
		for _, n := range a.putValues(c, through) {
			_, elem := elementType(deref(unboxed(c.Common().Args[n]).Type()))
			if elem == nil {
				continue
			}
			key := types.TypeString(elem, nil)
			if old := puts[key]; old == nil || instrPos(c) < instrPos(old) {
				puts[key] = c
			}
		}
	}
	return func(elem types.Type) ssa.CallInstruction { return puts[types.TypeString(elem, nil)] }
}

// filledFirst reports whether the package sets elements that are there already as a whole, or the field v of them to
// what is new, or what a function other than the one that fills them gave.
func (a *analysis) filledFirst(v *types.Var, elem types.Type, filler *ssa.Function) bool {
	elemAddr := types.NewPointer(elem)
	for _, i := range a.instrsBeyondTests() {
		st, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		at := elementOf(st.Addr)
		if at == nil || isAlloc(at.X) || !types.Identical(at.Type(), elemAddr) || st.Addr != ssa.Value(at) && fieldAt(st.Addr) != v {
			continue
		}
		if v != nil && st.Addr == ssa.Value(at) {
			return true
		}
		val := st.Val
		if x, ok := val.(*ssa.Extract); ok {
			val = x.Tuple
		}
		switch val := val.(type) {
		case *ssa.Alloc:
			return true
		case *ssa.Call:
			if a.calledFunction(val) != filler {
				return true
			}
		}
	}
	return false
}

// makesUnset reports whether the package makes slices of a type, whose elements are not set at first.
func (a *analysis) makesUnset(elem types.Type) bool {
	for _, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.MakeSlice:
			if sameElem(i.Type(), elem) {
				return true
			}
		case *ssa.Alloc:
			if i.Comment == "makeslice" && types.Identical(deref(i.Type()).Underlying().(*types.Array).Elem(), elem) {
				return true
			}
		}
	}
	return false
}
