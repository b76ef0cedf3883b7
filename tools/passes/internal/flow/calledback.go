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
	// ifDone is set for one that may do otherwise where the function that it called failed.
	ifDone bool
}

// judgeCalledBack reports callbacks that release what they are lent.
func (a *analysis) judgeCalledBack() {
	s := a.uses().sites
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
	if rel == nil || !instrPos(rel).IsValid() || l.ifDone && !succeedsAfter(rel) {
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
				if rel, ifDone := a.releasedAfter(s, call, unboxed(x)); rel != nil {
					list = append(list, callLender{fn, k, n, rel, ifDone})
				}
			}
		}
	}
	return list
}

// releasedAfter finds a release of x that every path from a call goes by, or every one on which the call gave no error, if
// x is the caller's and nothing counts it up for the callee.
func (a *analysis) releasedAfter(s *sites, call *ssa.Call, x ssa.Value) (rel ssa.Instruction, ifDone bool) {
	if _, isConst := x.(*ssa.Const); isConst || x.Referrers() == nil || !pointery(x.Type()) {
		return nil, false
	}
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
			return nil, false
		}
		for _, v := range append([]ssa.Value{receiverOf(c)}, c.Common().Args...) {
			if v == nil || unboxed(v) != x {
				continue
			}
			if a.countedUp(c, v) {
				return nil, false
			}
			if !a.releases(s, c, v) {
				continue
			}
			if _, isDefer := c.(*ssa.Defer); isDefer {
				if c.Block().Dominates(call.Block()) {
					return c, false
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
	if rel == nil || ends[call.Block()] {
		return rel, false
	}
	// leavesIt reports whether a path from a block leaves without the release.
	leavesIt := func(from *ssa.BasicBlock, done bool) bool {
		seen := map[*ssa.BasicBlock]bool{}
		var escapes func(b *ssa.BasicBlock) bool
		escapes = func(b *ssa.BasicBlock) bool {
			if seen[b] || ends[b] {
				return false
			}
			seen[b] = true
			switch last := lastInstr(b).(type) {
			case *ssa.Return:
				return true
			case *ssa.Panic:
				return false
			case *ssa.If:
				if k := failedArm(last, call); k >= 0 && done {
					return escapes(b.Succs[1-k])
				}
			}
			return slices.ContainsFunc(b.Succs, escapes)
		}
		if k, ok := lastInstr(from).(*ssa.If); ok && done && failedArm(k, call) >= 0 {
			return escapes(from.Succs[1-failedArm(k, call)])
		}
		return slices.ContainsFunc(from.Succs, escapes)
	}
	switch {
	case !leavesIt(call.Block(), false):
		return rel, false
	case !leavesIt(call.Block(), true):
		return rel, true
	}
	return nil, false
}

// failedArm is the arm of a test that is taken where the error that a call gave is not nil; -1 if the test asks something else.
func failedArm(t *ssa.If, call *ssa.Call) int {
	c, ok := t.Cond.(*ssa.BinOp)
	if !ok || !isNilConst(c.Y) || !isError(c.X.Type()) {
		return -1
	}
	x := c.X
	if e, ok := x.(*ssa.Extract); ok {
		x = e.Tuple
	}
	switch {
	case x != ssa.Value(call):
		return -1
	case c.Op == token.NEQ:
		return 0
	case c.Op == token.EQL:
		return 1
	}
	return -1
}

// succeedsAfter reports whether a function goes on from an instruction to return no error.
func succeedsAfter(i ssa.Instruction) bool {
	fn := i.Parent()
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || len(r.Results) == 0 || b != i.Block() && !reaches(i.Block(), b) {
			continue
		}
		if x := r.Results[len(r.Results)-1]; isError(x.Type()) && isNilConst(x) {
			return true
		}
	}
	return false
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
	if fn := a.calledFunction(c); fn != nil && receiverOf(c) == v && a.putsWhenLast(s, fn) {
		return true
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
		if m := a.prog.MethodValue(sel); m == nil || !s.putter[origin(m)][0] && !a.putsWhenLast(s, origin(m)) {
			return false
		}
	}
	return len(types0) > 0
}

// putsWhenLast reports whether a method ends an object's life for one who has a reference: it counts down, and puts what is in
// a field when nobody is left.
func (a *analysis) putsWhenLast(s *sites, fn *ssa.Function) bool {
	if !ends(fn.Name()) || !a.countsDown(fn) {
		return false
	}
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			if l, ok := unboxed(c.Common().Args[n]).(*ssa.UnOp); ok && l.Op == token.MUL {
				if fa, ok := l.X.(*ssa.FieldAddr); ok && fa.X == ssa.Value(fn.Params[0]) {
					return true
				}
			}
		}
	}
	return false
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
