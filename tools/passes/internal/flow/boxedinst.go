// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A generic wrapper of sync.Pool puts a T. Whether that allocates depends on what T stands
// for, which only the call knows that leads there: a slice or a struct is boxed on each Put.

// boxedParams are the type parameters of generic functions whose values they put as they are.
type boxedParams map[*ssa.Function]map[int]bool

func (b boxedParams) add(fn *ssa.Function, k int) bool {
	if k < 0 || b[fn][k] {
		return false
	}
	if b[fn] == nil {
		b[fn] = map[int]bool{}
	}
	b[fn][k] = true
	return true
}

// judgeInstances reports the calls of such functions for a type that has to be boxed.
func (a *analysis) judgeInstances() {
	boxed := boxedParams{}
	for c := range a.poolCalls("Put") {
		// Of a T with the constraint any, the conversion is a change of type.
		boxed.add(outermost(c.Parent()), typeParamOf(c.Parent(), unboxed(c.Common().Args[1]).Type()))
	}
	for again := true; again; {
		again = false
		for c := range a.productCalls() {
			for _, t := range a.putTypes(c, boxed) {
				if boxed.add(outermost(c.Parent()), typeParamOf(c.Parent(), t)) {
					again = true
				}
			}
		}
	}
	for c := range a.productCalls() {
		for _, t := range a.putTypes(c, boxed) {
			if pointerShaped(t) {
				continue
			}
			a.reportFound(finding{
				pattern: putByValue, pos: instrPos(c), fn: c.Parent(),
				message: fmt.Sprintf("%s puts %s in its pool by value: boxing it allocates on every Put; use it for a pointer that is kept with the value", calledMethod(c).Name(), a.putSaid(instrPos(c), "a "+types.TypeString(t, types.RelativeTo(a.pkg.Pkg)))),
				more:    declaredHere(calledMethod(c)),
			})
			break
		}
	}
}

// putTypes are the types that a call has a generic wrapper of a pool put.
func (a *analysis) putTypes(c ssa.CallInstruction, boxed boxedParams) []types.Type {
	inst := c.Common().StaticCallee()
	if inst == nil || inst.Origin() == nil || inst.Origin() == inst {
		return nil
	}
	args := inst.TypeArgs()
	var out []types.Type
	for k := range args {
		if boxed[inst.Origin()][k] || a.boxesElsewhere(inst.Origin(), k) {
			out = append(out, args[k])
		}
	}
	return out
}

// boxesElsewhere reports whether a function of another package puts what it is given for its
// type parameter k.
func (a *analysis) boxesElsewhere(fn *ssa.Function, k int) bool {
	f, ok := fn.Object().(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg() == a.pkg.Pkg {
		return false
	}
	sum := a.summaryOf(f)
	if sum == nil {
		return false
	}
	for _, o := range sum.Outcomes {
		for _, p := range o.Puts {
			e := p.Value
			if e == nil || e.Kind != "iface" || e.A == nil || e.A.Kind != "param" {
				continue
			}
			n := e.A.Index
			if fn.Signature.Recv() != nil {
				n--
			}
			if n >= 0 && n < fn.Signature.Params().Len() && typeParamOf(fn, fn.Signature.Params().At(n).Type()) == k {
				return true
			}
		}
	}
	return false
}

// typeParamOf is the number of the type parameter of a function, of its receiver or of the function
// around it that a type is, or -1.
func typeParamOf(fn *ssa.Function, t types.Type) int {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return -1
	}
	fn = outermost(fn)
	list := fn.Signature.TypeParams()
	if fn.Signature.RecvTypeParams().Len() > 0 {
		list = fn.Signature.RecvTypeParams()
	}
	return slices.Index(slices.Collect(list.TypeParams()), p)
}

// outermost is the declared function that a closure is made in.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}
