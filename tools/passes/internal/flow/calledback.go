// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that calls a function it was given with a value, and releases that value on
// every path after the call, lends it. A callback that releases its parameter releases
// what the function will release again, whether references are counted or not: it was
// given none of its own.

// A callLender is a function that lends to the functions that it is given.
type callLender struct {
	fn    *ssa.Function
	param int // of the function that is called
	arg   int // what is lent
	rel   ssa.Instruction
}

// judgeCalledBack reports callbacks that release what they are lent.
func (a *analysis) judgeCalledBack() {
	s := a.uses().sites
	if len(s.puts) == 0 {
		return
	}
	var lenders []callLender
	for _, fn := range a.fns {
		if !a.inTest(fn) {
			lenders = append(lenders, a.lendsToCallees(s, fn)...)
		}
	}
	if len(lenders) == 0 {
		return
	}
	for c := range a.productCalls() {
		for _, l := range lenders {
			if !a.mayCall(c, l.fn) || !a.allLend(c, l, lenders) {
				continue
			}
			n := l.param
			if c.Common().IsInvoke() {
				n--
			}
			if n < 0 || n >= len(c.Common().Args) {
				continue
			}
			for _, f := range a.funcsOf(c.Common().Args[n]) {
				a.checkCalledBack(s, c, l, f.fn)
			}
		}
	}
}

// checkCalledBack reports a callback that releases its parameter.
func (a *analysis) checkCalledBack(s *sites, c ssa.CallInstruction, l callLender, f *ssa.Function) {
	if l.arg >= len(f.Params) || len(f.Blocks) == 0 || !a.inPackage(f) {
		return
	}
	p := f.Params[l.arg]
	var rel ssa.CallInstruction
	for _, r := range referrers(p) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.UnOp, *ssa.TypeAssert, *ssa.BinOp, *ssa.Field:
		case ssa.CallInstruction:
			if _, isGo := r.(*ssa.Go); isGo {
				return
			}
			if a.countedUp(r, p) {
				return
			}
			if a.releases(s, r, p) && rel == nil {
				rel = r
			}
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType:
			v := r.(ssa.Value)
			for _, u := range referrers(v) {
				if uc, ok := u.(ssa.CallInstruction); ok && a.countedUp(uc, v) {
					return
				} else if ok && a.releases(s, uc, v) && rel == nil {
					rel = uc
				}
			}
		default:
			return // kept, captured or merged with another: what is released may be that
		}
	}
	if rel == nil || !instrPos(rel).IsValid() {
		return
	}
	a.reportFound(finding{
		pattern: doublePut, pos: instrPos(rel), fn: f,
		message: fmt.Sprintf("%s is released here and again by %s, which only lends it to the functions that it calls (%s)", p.Name(), l.fn.Name(), a.line(instrPos(l.rel))),
		related: []goanalysis.RelatedInformation{
			{Pos: instrPos(c), Message: "given to the lender here"},
			{Pos: instrPos(l.rel), Message: "released again here"},
		},
	})
}

// lendsToCallees finds what a function lends to the functions among its parameters.
func (a *analysis) lendsToCallees(s *sites, fn *ssa.Function) (list []callLender) {
	for k, p := range fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		for _, r := range referrers(p) {
			call, ok := r.(*ssa.Call)
			if !ok || call.Call.Value != ssa.Value(p) {
				continue
			}
			for n, x := range call.Call.Args {
				if rel := a.releasedAfter(s, call, unboxed(x)); rel != nil {
					list = append(list, callLender{fn, k, n, rel})
				}
			}
		}
	}
	return list
}

// releasedAfter finds a release of x that every path from a call goes by, if x is the
// caller's and nothing counts it up for the callee.
func (a *analysis) releasedAfter(s *sites, call *ssa.Call, x ssa.Value) ssa.Instruction {
	if _, isConst := x.(*ssa.Const); isConst || x.Referrers() == nil || !pointery(x.Type()) {
		return nil
	}
	var rel ssa.Instruction
	ends := map[*ssa.BasicBlock]bool{}
	uses := slices.Clone(referrers(x))
	for _, r := range uses {
		switch r.(type) {
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType:
			uses = append(uses, referrers(r.(ssa.Value))...)
		}
	}
	for _, r := range uses {
		c, ok := r.(ssa.CallInstruction)
		if !ok || r == ssa.Instruction(call) {
			continue
		}
		if _, isGo := c.(*ssa.Go); isGo {
			return nil
		}
		for _, v := range append([]ssa.Value{receiverOf(c)}, c.Common().Args...) {
			if v == nil || unboxed(v) != x {
				continue
			}
			if a.countedUp(c, v) {
				return nil
			}
			if !a.releases(s, c, v) {
				continue
			}
			if _, isDefer := c.(*ssa.Defer); isDefer {
				if c.Block().Dominates(call.Block()) {
					return c
				}
				continue
			}
			if c.Block() == call.Block() && !mayFollowIn(call, c) {
				continue
			}
			rel = c
			ends[c.Block()] = true
		}
	}
	if rel == nil {
		return nil
	}
	if ends[call.Block()] {
		return rel
	}
	seen := map[*ssa.BasicBlock]bool{}
	var escapes func(b *ssa.BasicBlock) bool
	escapes = func(b *ssa.BasicBlock) bool {
		if seen[b] || ends[b] {
			return false
		}
		seen[b] = true
		switch lastInstr(b).(type) {
		case *ssa.Return:
			return true
		case *ssa.Panic:
			return false
		}
		return slices.ContainsFunc(b.Succs, escapes)
	}
	if slices.ContainsFunc(call.Block().Succs, escapes) {
		return nil
	}
	return rel
}

// mayFollowIn reports whether y comes after x in their block.
func mayFollowIn(x, y ssa.Instruction) bool {
	list := x.Block().Instrs
	return slices.Index(list, x) < slices.Index(list, y)
}

// releases reports whether a call puts v, in the end: as an argument, or by a method of
// v's that ends its life, in all types of the package behind an interface.
func (a *analysis) releases(s *sites, c ssa.CallInstruction, v ssa.Value) bool {
	for _, n := range s.putArgs(a, c) {
		if c.Common().Args[n] == v {
			return true
		}
	}
	if !c.Common().IsInvoke() || c.Common().Value != v || c.Common().Signature().Params().Len() > 0 || !last(c.Common().Method.Name()) {
		return false
	}
	n, ok := types.Unalias(v.Type()).(*types.Named)
	if !ok || n.Obj().Pkg() != a.pkg.Pkg {
		return false
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	types0 := a.implementers(it)
	for _, t := range types0 {
		sel := types.NewMethodSet(t).Lookup(c.Common().Method.Pkg(), c.Common().Method.Name())
		if sel == nil {
			return false
		}
		if m := a.prog.MethodValue(sel); m == nil || !s.putter[origin(m)][0] {
			return false
		}
	}
	return len(types0) > 0
}

// countedUp reports whether a call counts v up: a method of v's, or a function of it.
func (a *analysis) countedUp(c ssa.CallInstruction, v ssa.Value) bool {
	return receiverOf(c) == v && a.countsUp(c) && c.Common().Signature().Params().Len() == 0 || receiverOf(c) == nil && len(c.Common().Args) == 1 && c.Common().Args[0] == v && a.countsUp(c)
}

// allLend reports whether whatever a call through an interface reaches lends as l does.
func (a *analysis) allLend(c ssa.CallInstruction, l callLender, lenders []callLender) bool {
	if !c.Common().IsInvoke() {
		return true
	}
	n, ok := types.Unalias(c.Common().Value.Type()).(*types.Named)
	if !ok || n.Obj().Pkg() != a.pkg.Pkg {
		return false
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for _, t := range a.implementers(it) {
		sel := types.NewMethodSet(t).Lookup(c.Common().Method.Pkg(), c.Common().Method.Name())
		if sel == nil {
			return false
		}
		m := a.prog.MethodValue(sel)
		if !slices.ContainsFunc(lenders, func(o callLender) bool { return o.fn == m && o.param == l.param && o.arg == l.arg }) {
			return false
		}
	}
	return true
}
