// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pool of the package's own, or of another, that takes pointers to slices saves the
// header's allocation only for those who keep the pointer that they got. Whoever
// keeps the slice, and puts the address of a variable that it is copied to,
// allocates a header for each Put.

// judgeLocalAddr reports addresses of local slices that go to a pool through a function.
func (a *analysis) judgeLocalAddr() {
	f := a.uses()
	for c := range a.productCalls() {
		if m := calledMethod(c); m == nil || funcKey(m) == "sync.Pool.Put" || c.Common().IsInvoke() {
			continue
		}
		for _, n := range f.putArgs(a, c) {
			v := c.Common().Args[n]
			al, ok := v.(*ssa.Alloc)
			if !ok || !al.Heap || !isSlice(deref(al.Type())) || !copied(al) && !(a.putsStraight(c, n) && givenSlice(al)) || f.aliased(al, c) {
				continue
			}
			a.reportFound(finding{
				pattern: putLocalAddr, pos: instrPos(c), fn: c.Parent(),
				message: fmt.Sprintf("the address of the local variable %s goes to a pool through %s: its slice header is allocated on every call; keep the pointer that Get returned", al.Comment, calledMethod(c).Name()),
				related: []goanalysis.RelatedInformation{{Pos: al.Pos(), Message: "declared here"}},
				more:    declaredHere(calledMethod(c)),
			})
		}
	}
}

// copied reports whether a variable is set to a slice that was kept elsewhere: in a field,
// an element or a variable of the package, or behind a pointer.
func copied(al *ssa.Alloc) bool {
	switch al.Comment {
	case "new", "complit", "slicelit", "makeslice", "varargs":
		return false
	}
	n := 0
	for _, r := range referrers(al) {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != al {
			continue
		}
		n++
		v := st.Val
		if s, ok := v.(*ssa.Slice); ok {
			v = s.X
		}
		l, ok := v.(*ssa.UnOp)
		if !ok {
			return false
		}
		switch l.X.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Parameter, *ssa.Call, *ssa.Extract, *ssa.TypeAssert:
		default:
			return false
		}
	}
	return n > 0
}

// aliased reports whether the variable's address is used for more than the call: it may
// be kept on purpose.
func (f *forgotten) aliased(al *ssa.Alloc, call ssa.CallInstruction) bool {
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != al {
				return true
			}
		case *ssa.MakeClosure, *ssa.Phi, *ssa.Return, *ssa.MakeInterface:
			return true
		case ssa.CallInstruction:
			if r != call && len(f.putArgs(f.a, r)) == 0 {
				return true
			}
		}
	}
	return false
}

// putsStraight reports whether a call calls a function of the package that puts what it is
// given as it is, and does nothing else with it.
func (a *analysis) putsStraight(c ssa.CallInstruction, n int) bool {
	fn := a.calledFunction(c)
	if fn == nil || n >= len(fn.Params) {
		return false
	}
	refs := referrers(fn.Params[n])
	if len(refs) != 1 {
		return false
	}
	mi, ok := refs[0].(*ssa.MakeInterface)
	if !ok || len(referrers(mi)) != 1 {
		return false
	}
	put, ok := (referrers(mi))[0].(ssa.CallInstruction)
	return ok && funcKey(calledMethod(put)) == "sync.Pool.Put"
}

// givenSlice reports whether a variable is a slice that the function was given, or a part of it.
func givenSlice(al *ssa.Alloc) bool {
	for _, r := range referrers(al) {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(al) {
			continue
		}
		if _, isParam := st.Val.(*ssa.Parameter); isParam {
			return true
		}
	}
	return false
}
