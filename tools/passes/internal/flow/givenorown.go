// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function that works with a pooled writer may be given any writer, or such a one already: then it works with that,
// and puts it as it would have put its own. Who calls it with any writer knows nothing of that, and who
// makes one by itself does not get it from the pool. What the function means to put is what it took.

// putsGiven reports whether what a Put is given is what a function was given in an interface, instead of a value that
// it would have taken otherwise.
func (a *analysis) putsGiven(ev *event) bool {
	n := len(ev.stack) - 1
	c, ok := ev.stack[n].(ssa.CallInstruction)
	if !ok || len(c.Common().Args) == 0 {
		return false
	}
	v := c.Common().Args[len(c.Common().Args)-1]
	for {
		v = unboxed(v)
		p, ok := v.(*ssa.Parameter)
		if !ok || n == 0 {
			return a.givenOrOwn(v)
		}
		n--
		call, ok := ev.stack[n].(ssa.CallInstruction)
		k := slices.Index(p.Parent().Params, p)
		if !ok || k < 0 || call.Common().StaticCallee() != p.Parent() || k >= len(call.Common().Args) {
			return false
		}
		v = call.Common().Args[k]
	}
}

// givenOrOwn reports whether a value is, as the case may be, what a function was given, found by a test of its type, or one
// that it takes.
func (a *analysis) givenOrOwn(v ssa.Value) bool {
	var edges []ssa.Value
	switch x := v.(type) {
	case *ssa.Phi:
		edges = x.Edges
	case *ssa.Call:
		fn := x.Call.StaticCallee()
		if fn == nil || fn.Signature.Results().Len() != 1 {
			return false
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok {
				edges = append(edges, r.Results[0])
			}
		}
	default:
		return false
	}
	return slices.ContainsFunc(edges, testedParam) && slices.ContainsFunc(edges, a.isTaken)
}

// testedParam reports whether a value is a parameter that was found to be of a type.
func testedParam(v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
		v = x.Tuple
	}
	ta, ok := v.(*ssa.TypeAssert)
	return ok && isParam(ta.X)
}

// isTaken reports whether a value is what a Get gives, or a function that returns what it gets.
func (a *analysis) isTaken(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.TypeAssert:
		return a.isTaken(x.X)
	case *ssa.Extract:
		return x.Index == 0 && a.isTaken(x.Tuple)
	case *ssa.Call:
		if pf, ok := poolFuncOf(calledMethod(x)); ok {
			return pf.acquire
		}
		return a.uses().gets0(a, x)
	}
	return false
}
