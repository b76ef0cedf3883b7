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

// What heap.Pop takes off a heap is the caller's. Where the elements have a Close that puts
// them, and another function closes those that are still in the heap, one that pops an element
// and looks at nothing of it loses it.

// judgePopped reports such calls.
func (a *analysis) judgePopped() {
	for fn, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if !ok || calledMethod(c) == nil || len(c.Call.Args) == 0 || slices.ContainsFunc(referrers(c), notDebug) {
			continue
		}
		if k := funcKey(calledMethod(c)); k != "container/heap.Pop" && k != "container/heap.Remove" {
			continue
		}
		f := nthFieldOf(unboxed(c.Call.Args[0]))
		if f == nil || f.Pkg() != a.pkg.Pkg {
			continue
		}
		if at := a.endsElements(f, fn); at != nil && !a.endsSome(fn, f) {
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(c), fn: fn,
				message: fmt.Sprintf("what is taken off %s is dropped: elements that stay there are put in the end (%s), this one is not", f.Name(), a.line(instrPos(at))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(at), Message: "what is still there is put here"}},
			})
		}
	}
}

func notDebug(r ssa.Instruction) bool {
	_, dbg := r.(*ssa.DebugRef)
	return !dbg
}

// nthFieldOf is the field at an address, or whose content a value is.
func nthFieldOf(v ssa.Value) *types.Var {
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		v = l.X
	}
	if fa, ok := v.(*ssa.FieldAddr); ok {
		return nthField(fa.X, fa.Field)
	}
	return nil
}

// endsElements is a call in another function than one that ends an element of a field's slice,
// where a type of the package puts itself in that.
func (a *analysis) endsElements(f *types.Var, but *ssa.Function) ssa.Instruction {
	s, ok := f.Type().Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	for _, fn := range a.fns {
		if fn == but || a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			c, ok := i.(ssa.CallInstruction)
			if ok && fieldOfElement(a.endedBy(c, s.Elem())) == f {
				return i
			}
		}
	}
	return nil
}

// endedBy is the value of a type whose end a call is, if a value that ends so is put.
func (a *analysis) endedBy(c ssa.CallInstruction, t types.Type) ssa.Value {
	cc := c.Common()
	if cc.IsInvoke() {
		if !ends(cc.Method.Name()) || !types.Identical(cc.Value.Type(), t) {
			return nil
		}
		it, ok := t.Underlying().(*types.Interface)
		if !ok {
			return nil
		}
		for tn := range a.closers {
			p := types.NewPointer(tn.Type())
			if !types.Implements(p, it) {
				continue
			}
			if m := a.methodOf(p, cc.Method); m != nil && a.putsOwn(m) != nil {
				return cc.Value
			}
		}
		return nil
	}
	for _, n := range a.uses().sites.putArgs(a, c) {
		if v := unboxed(cc.Args[n]); types.Identical(v.Type(), t) {
			return v
		}
	}
	if f := a.calledFunction(c); f != nil && len(cc.Args) > 0 && ends(f.Name()) && f.Signature.Recv() != nil && types.Identical(cc.Args[0].Type(), t) && a.putsOwn(f) != nil {
		return cc.Args[0]
	}
	return nil
}

// fieldOfElement is the field of whose slice a value is an element.
func fieldOfElement(v ssa.Value) *types.Var {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil
	}
	ia, ok := l.X.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	return nthFieldOf(ia.X)
}

// endsSome reports whether a function ends some element of a field's slice, or whatever else
// is of its type, or gives it to others: that may be the one that it pops.
func (a *analysis) endsSome(fn *ssa.Function, f *types.Var) bool {
	t := f.Type().Underlying().(*types.Slice).Elem()
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case ssa.CallInstruction:
			cc := i.Common()
			if cc.IsInvoke() && types.Identical(cc.Value.Type(), t) && ends(cc.Method.Name()) {
				return true
			}
			for k, x := range cc.Args {
				method := k == 0 && !cc.IsInvoke() && calledMethod(i) != nil && calledMethod(i).Signature().Recv() != nil && !ends(calledMethod(i).Name())
				if types.Identical(unboxed(x).Type(), t) && !method {
					return true
				}
			}
		case *ssa.Store:
			if types.Identical(i.Val.Type(), t) {
				if _, zero := i.Val.(*ssa.Const); !zero {
					return true
				}
			}
		case *ssa.Return:
			for _, x := range i.Results {
				if types.Identical(unboxed(x).Type(), t) {
					return true
				}
			}
		case *ssa.Send:
			if types.Identical(i.X.Type(), t) {
				return true
			}
		}
	}
	return false
}
