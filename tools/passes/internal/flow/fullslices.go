// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A slice whose elements hold pointers is put as it was used, or cut, and nothing in the
// package ever clears slices of its type: until all its elements are set again, the pool
// keeps what they point to alive. The Put may be that of a generic wrapper, and the slice
// one behind the struct or map that is put, where no path shows it.

// judgeFullSlices reports Puts of such slices.
func (a *analysis) judgeFullSlices() {
	told := map[string]bool{}
	report := func(put ssa.CallInstruction, elem types.Type, what string, fill ssa.Instruction) {
		key := types.TypeString(elem, nil)
		if told[key] || a.foundIn(retainedRefs, put.Parent()) {
			return
		}
		if fn := a.calledFunction(put); fn != nil && a.foundIn(retainedRefs, fn) {
			return // the wrapper itself was told
		}
		told[key] = true
		a.reportFound(finding{
			pattern: retainedRefs, pos: instrPos(put), fn: put.Parent(),
			message: fmt.Sprintf("%s goes to the pool (%s) with its elements, and nothing in the package clears slices of %s: the pool keeps what they point to alive; clear it before the Put", what, a.line(instrPos(put)), types.TypeString(elem, types.RelativeTo(a.pkg.Pkg))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(fill), Message: "filled here"}},
			more:    a.usersOfStatic(put),
		})
	}
	through := a.storers()
	for c := range a.productCalls() {
		for _, n := range a.putValues(c, through) {
			t := unboxed(c.Common().Args[n]).Type()
			if elem := a.uncleared(deref(t)); elem != nil {
				fill := a.fills(elem)
				if fill == nil {
					fill = a.setInPooled(elem)
				}
				if fill != nil {
					report(c, elem, orElse(a.argText(c, n), "the slice"), fill)
				}
				continue
			}
			m, ok := deref(t).Underlying().(*types.Map)
			if !ok {
				continue
			}
			if s, ok := deref(m.Elem()).Underlying().(*types.Struct); ok {
				for v := range s.Fields() {
					elem := a.uncleared(v.Type())
					ff := a.uses().facts[v.Origin()]
					if elem == nil || ff == nil || slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return !s.more && !cutsOnly(s.instr) }) {
						continue
					}
					if k := slices.IndexFunc(ff.stores, func(s fieldStore) bool { return s.more }); k >= 0 {
						report(c, elem, "field "+v.Name()+" of what the map holds", ff.stores[k].instr)
					}
				}
			}
		}
	}
}

// uncleared is the element of a slice type that holds pointers, where nothing in the package
// clears such elements.
func (a *analysis) uncleared(t types.Type) types.Type {
	_, elem := elementType(t)
	if elem == nil || !pointsOut(elem) || longLived(elem) || generic(elem) || a.clearsAny(elem) || a.reslices(elem) {
		return nil
	}
	return elem
}

// fills is the first append of something to a slice of that type, here or in a function that is given it empty.
func (a *analysis) fills(elem types.Type) (best ssa.Instruction) {
	cut := false
	for _, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Call:
			if bi, ok := i.Call.Value.(*ssa.Builtin); ok && bi.Name() == "append" && sameElem(i.Type(), elem) && !isTypeParam(i.Type().Underlying().(*types.Slice).Elem()) && (best == nil || instrPos(i) < instrPos(best)) {
				best = i
			}
			if fillsFromStart(i, elem) && (best == nil || instrPos(i) < instrPos(best)) {
				best = i
			}
		case *ssa.Slice:
			cut = cut || emptyCut(i) && isSlice(i.Type()) && types.Identical(i.Type().Underlying().(*types.Slice).Elem(), elem)
		}
	}
	if !cut {
		return nil // not used again as far as is seen
	}
	return best
}

// fillsFromStart reports whether a call is given a slice of that element type, cut to length 0, and gives back such a slice:
// it appends to it, or sets it up from the start.
func fillsFromStart(c *ssa.Call, elem types.Type) bool {
	list, ok := c.Type().Underlying().(*types.Slice)
	return ok && types.Identical(list.Elem(), elem) && !isBuiltinCall(c) && slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool {
		s, ok := x.(*ssa.Slice)
		return ok && types.Identical(s.Type(), c.Type()) && emptyCut(s)
	})
}

// setInPooled is the first store of something to an element, by its index, of a slice of that
// type that came from a pool, or is behind a pointer as those are.
func (a *analysis) setInPooled(elem types.Type) (best ssa.Instruction) {
	for _, i := range a.instrsBeyondTests() {
		ia, ok := i.(*ssa.IndexAddr)
		if !ok || !sameElem(ia.X.Type(), elem) || isTypeParam(ia.X.Type().Underlying().(*types.Slice).Elem()) || !pooledSlice(ia.X, 0) {
			continue
		}
		setThrough(ia, func(s *ssa.Store) {
			if _, isConst := s.Val.(*ssa.Const); !isConst && !ownPart(s.Val, ia.X, 0) && !a.packageOwn(s.Val) && (best == nil || instrPos(s) < instrPos(best)) {
				best = s
			}
		}, 0)
	}
	return best
}

// pooledSlice reports whether a slice is what a pool gave, or behind a pointer.
func pooledSlice(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Slice:
		return pooledSlice(x.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return pooledSlice(e, depth+2) })
	case *ssa.Extract:
		return pooledSlice(x.Tuple, depth+1)
	case *ssa.TypeAssert:
		c, ok := x.X.(*ssa.Call)
		return ok && funcKey(calledMethod(c)) == "sync.Pool.Get"
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		switch at := x.X.(type) {
		case *ssa.TypeAssert, *ssa.Parameter, *ssa.Call, *ssa.Phi, *ssa.Extract:
			return true
		case *ssa.UnOp: // a variable that holds the pointer, as a closure has it
			return isSlice(deref(at.Type()))
		}
	}
	return false
}

// packageOwn reports whether a value is that of a variable of the package, or nothing.
func (a *analysis) packageOwn(v ssa.Value) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	_, ok = l.X.(*ssa.Global)
	return ok
}

// emptyCut reports whether a slice is cut to length 0.
func emptyCut(s *ssa.Slice) bool {
	c, ok := s.High.(*ssa.Const)
	return ok && c.Value != nil && isZero(c.Value)
}

// storers are the functions that put a box with one of their parameters in it.
func (a *analysis) storers() map[*ssa.Function][]int {
	out := map[*ssa.Function][]int{}
	for c := range a.poolCalls("Put") {
		fn := c.Parent()
		box := unboxed(c.Common().Args[1])
		eachStore(fn, func(s *ssa.Store) {
			p, ok := s.Val.(*ssa.Parameter)
			if !ok || !sameBox(s.Addr, box) {
				return
			}
			if k := slices.Index(fn.Params, p); !slices.Contains(out[fn], k) {
				out[fn] = append(out[fn], k)
			}
		})
	}
	for _, list := range out {
		slices.SortFunc(list, cmp.Compare)
	}
	return out
}

// sameBox reports whether an address is a box that is put, or an edge of it.
func sameBox(addr, box ssa.Value) bool {
	if addr == box {
		return true
	}
	p, ok := box.(*ssa.Phi)
	return ok && slices.Contains(p.Edges, addr)
}

// putValues are the arguments of a call that go to a pool, be it in a box.
func (a *analysis) putValues(c ssa.CallInstruction, through map[*ssa.Function][]int) []int {
	f := a.uses()
	out := f.putArgs(a, c)
	if fn := a.calledFunction(c); fn != nil && !c.Common().IsInvoke() {
		for _, k := range through[fn] {
			if k < len(c.Common().Args) && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// puts reports whether the package puts anything, of whatever type.
func (a *analysis) puts() bool {
	for range a.poolCalls("Put") {
		return true
	}
	return false
}
