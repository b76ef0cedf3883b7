// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that puts only what is below a limit leaves the rest to another that puts
// whatever it is given. Where values carry that other one with them, to be released by it, the
// limit is passed by.

// judgeOneWayBound reports functions that put without a limit, which another function has that
// calls them, and that values are given as the way to release them.
func (a *analysis) judgeOneWayBound() {
	for _, fn := range a.fns {
		if a.inTest(fn) || fn.Parent() != nil || fn.Signature.Recv() == nil {
			continue
		}
		at, k := a.putsParam(fn)
		if at == nil || a.testsSize(fn) {
			continue
		}
		limit := a.limitedCall(fn, k)
		if limit == nil {
			continue
		}
		if way := a.carriedIn(fn); way != nil {
			a.reportFound(finding{
				pattern: oversizeRetention, pos: instrPos(at), fn: fn,
				message: fmt.Sprintf("what is above a limit (%s) is not to go to the pool, but values that are released by %s itself (%s) get there at any size; test the size in %s", a.line(instrPos(limit)), fn.Name(), a.line(instrPos(way)), fn.Name()),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(limit), Message: "the limit is here"},
					{Pos: instrPos(way), Message: "the way past it begins here"},
				},
			})
		}
	}
}

// putsParam finds where a function puts a parameter that is, or leads to, a slice, or sends it
// without waiting.
func (a *analysis) putsParam(fn *ssa.Function) (ssa.Instruction, int) {
	for i := range instrsOf(fn) {
		var v ssa.Value
		switch i := i.(type) {
		case *ssa.Select:
			if len(i.States) != 1 || i.States[0].Dir != types.SendOnly || i.Blocking {
				continue
			}
			v = i.States[0].Send
		case ssa.CallInstruction:
			if !isPut(i) {
				continue
			}
			v = unboxed(i.Common().Args[1])
		default:
			continue
		}
		for k, p := range fn.Params {
			if k > 0 && pooledMemory(p.Type(), 0) && (v == ssa.Value(p) || paramOf(v) == p) {
				return i, k
			}
		}
	}
	return nil, 0
}

// limitedCall finds a test of the size of what a caller gives a function, on which the call
// depends.
func (a *analysis) limitedCall(fn *ssa.Function, param int) *ssa.BinOp {
	for _, c := range a.callsOf(fn) {
		if a.inTest(c.Parent()) || c.Common().IsInvoke() || param >= len(c.Common().Args) {
			continue
		}
		for b := c.Block().Idom(); b != nil; b = b.Idom() {
			iff, ok := lastInstr(b).(*ssa.If)
			if !ok {
				continue
			}
			o, ok := iff.Cond.(*ssa.BinOp)
			if !ok || !a.limits(o) {
				continue
			}
			for _, x := range []ssa.Value{o.X, o.Y} {
				if of, ok := capOf(x); ok && oneRead(of, c.Common().Args[param], 0) {
					return o
				}
			}
		}
	}
	return nil
}

// carriedIn finds where a method is stored in a field, as a value.
func (a *analysis) carriedIn(fn *ssa.Function) (way ssa.Instruction) {
	for _, f := range a.fns {
		if a.inTest(f) {
			continue
		}
		eachStore(f, func(st *ssa.Store) {
			m, ok := st.Val.(*ssa.MakeClosure)
			if !ok || way != nil || fieldAt(st.Addr) == nil {
				return
			}
			if w := m.Fn.(*ssa.Function); w.Object() != nil && w.Object() == fn.Object() {
				way = st
			}
		})
	}
	return way
}
