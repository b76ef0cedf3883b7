// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Generic code is followed in its origin, where the type of what a wrapper of a pool puts is
// a type parameter. The calls that lead there know what it stands for.

// instantiated is a type, or a pointer to or slice of one, that may be a type parameter, as the
// innermost call that says so has it; stack is as in an event, outermost call first.
func instantiated(t types.Type, stack []ssa.Instruction) types.Type {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		for _, i := range slices.Backward(stack) {
			if arg := argumentFor(u, i); arg != nil {
				return instantiated(arg, stack)
			}
		}
	case *types.Pointer:
		if in := instantiated(u.Elem(), stack); in != u.Elem() {
			return types.NewPointer(in)
		}
	case *types.Slice:
		if in := instantiated(u.Elem(), stack); in != u.Elem() {
			return types.NewSlice(in)
		}
	}
	return t
}

// argumentFor is what a type parameter stands for in an instruction that calls what has it, nil in any other.
func argumentFor(p *types.TypeParam, i ssa.Instruction) types.Type {
	c, ok := i.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	inst := c.Common().StaticCallee()
	if inst == nil || inst.Origin() == nil {
		return nil
	}
	k := slices.Index(typeParamsOf(inst.Origin()), p)
	if args := inst.TypeArgs(); k >= 0 && k < len(args) {
		return args[k]
	}
	return nil
}

// mayLeadOut reports whether a type is no type parameter, or one for which the package has a type that keeps something alive,
// or none at all.
func (a *analysis) mayLeadOut(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return true
	}
	some := false
	for _, i := range a.instrs() {
		if arg := argumentFor(p, i); arg != nil {
			if leadsOut(arg) {
				return true
			}
			some = true
		}
	}
	return !some
}

// structHeld is what a put value is of, where that is a struct behind a type parameter; a wrapper that
// puts boxes of slices may have emptied them.
func structHeld(t types.Type, stack []ssa.Instruction) types.Type {
	in := instantiated(t, stack)
	if _, ok := in.Underlying().(*types.Pointer); ok && structOf(in) != nil {
		return in
	}
	return t
}

// boxHeld is what a put value is of, where the wrapper was given it, or puts it in a variable of its own or an empty box, and its type,
// or what that points to, is a parameter that stands for a slice or map, say, or a pointer to one; nil otherwise. Such
// a wrapper does not know that there is a slice, and does not empty it, but by setting the whole. Of a box that was got for the
// Put, given is what the wrapper puts in it.
func boxHeld(put ssa.CallInstruction, t types.Type, stack []ssa.Instruction) (held types.Type, given ssa.Value) {
	of := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		of = p.Elem()
	}
	v := unboxed(lastArg(put.Common()))
	switch x := v.(type) {
	case *ssa.Slice:
		v = x.X
	case *ssa.Alloc:
		if w := storedOnce(x); w != nil {
			v = w
		}
	case *ssa.Phi, *ssa.TypeAssert, *ssa.Extract:
		if w := storedOnce(x); w != nil {
			v, given = w, w
		}
	}
	if !isTypeParam(of) || !isParam(v) || slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Addr == v
	}) {
		return nil, nil
	}
	in := instantiated(t, stack)
	of = in
	if p, ok := in.Underlying().(*types.Pointer); ok {
		of = p.Elem()
	}
	if !isMapType(of) && !isSlice(of) {
		return nil, nil
	}
	return in, given
}

// typeParamsOf are the type parameters of a function, or of a method's receiver.
func typeParamsOf(fn *ssa.Function) []*types.TypeParam {
	list := fn.Signature.TypeParams()
	if fn.Signature.RecvTypeParams().Len() > 0 {
		list = fn.Signature.RecvTypeParams()
	}
	return slices.Collect(list.TypeParams())
}
