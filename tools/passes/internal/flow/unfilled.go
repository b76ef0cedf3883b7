// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A slice that is made with its full length has nil at each index that a loop has not come to. Where the loop
// returns early, for an error, a deferred call that puts all elements puts those as well.

// judgeUnfilled reports such calls.
func (a *analysis) judgeUnfilled() {
	for fn, i := range a.instrsBeyondTests() {
		d, ok := i.(*ssa.Defer)
		if !ok || d.Call.IsInvoke() || inLoop(d.Block()) {
			continue
		}
		callee := a.calledFunction(d)
		if callee == nil || !a.inPackage(callee) || len(callee.Blocks) == 0 {
			continue
		}
		for _, drain := range a.listDrains(callee) {
			var made ssa.Value // the slice, or the variable that has it
			switch l := drain.list.(type) {
			case *ssa.UnOp:
				made = a.varAt(l.X)
			case *ssa.Parameter:
				if n := slices.Index(callee.Params, l); n >= 0 && n < len(d.Call.Args) {
					made = d.Call.Args[n]
				}
			}
			if when, ok := a.runsWhen(drain.header); !ok || when != nil || made == nil || !a.putsNil(drain.call, drain.arg, 0) {
				continue
			}
			if fill, exit := a.leftUnfilled(fn, d, made); fill != nil {
				a.reportFound(finding{
					pattern: putNil, pos: instrPos(drain.call), fn: drain.call.Parent(),
					message: fmt.Sprintf("each element of %s is put here, and those that the loop has not set (%s) when it returns early (%s) are nil, so that a later Get returns nil", a.valueName(drain.list), a.line(instrPos(fill)), a.line(instrPos(exit))),
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(fill), Message: "set here"},
						{Pos: instrPos(exit), Message: "returns early here"},
					},
				})
			}
		}
	}
}

// putsNil reports whether a call puts its n-th argument in a sync.Pool, as it is and also if it is nil.
func (a *analysis) putsNil(c ssa.CallInstruction, n, depth int) bool {
	if pf, ok := poolFuncOf(calledMethod(c)); ok {
		return pf.api == "sync.Pool" && pf.release == n
	}
	fn := a.calledFunction(c)
	if fn == nil || depth > 3 || c.Common().IsInvoke() || n >= len(fn.Params) || len(fn.Blocks) != 1 || !a.inPackage(fn) {
		return false
	}
	puts := false
	uses := slices.Clone(referrers(fn.Params[n]))
	for k := 0; k < len(uses); k++ {
		switch r := uses[k].(type) {
		case *ssa.DebugRef:
		case *ssa.MakeInterface:
			uses = append(uses, referrers(r)...)
		case *ssa.Call:
			for m, x := range r.Call.Args {
				if unboxed(x) == ssa.Value(fn.Params[n]) {
					puts = puts || a.putsNil(r, m, depth+1)
				}
			}
		default:
			return false // it would fail, or asks
		}
	}
	return puts
}

// leftUnfilled are the place where the one loop that sets the elements of a slice does so, and where that loop
// returns because something failed, after the call was deferred.
func (a *analysis) leftUnfilled(fn *ssa.Function, d *ssa.Defer, made ssa.Value) (fill, exit ssa.Instruction) {
	var set *ssa.Store // to the variable
	list := []ssa.Value{made}
	if v, ok := made.(*ssa.Alloc); ok {
		if v.Parent() != fn {
			return nil, nil
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr != ssa.Value(v) || set != nil {
					return nil, nil
				}
				set, made = r, r.Val
			case *ssa.UnOp:
				list = append(list, r)
			case *ssa.MakeClosure:
				if r != d.Call.Value {
					return nil, nil
				}
			case *ssa.DebugRef:
			default:
				return nil, nil
			}
		}
		list = append(list, made)
	}
	if !madeLong(made) {
		return nil, nil
	}
	var head *ssa.BasicBlock
	for _, v := range list {
		if _, isVar := v.(*ssa.Alloc); isVar {
			continue
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				if r != set {
					return nil, nil
				}
			case *ssa.Defer:
				if r != d {
					return nil, nil
				}
			case *ssa.Call:
				if !isBuiltin(r, "len") && !isBuiltin(r, "cap") {
					return nil, nil
				}
			case *ssa.IndexAddr:
				for _, u := range referrers(r) {
					switch u := u.(type) {
					case *ssa.DebugRef, *ssa.UnOp:
					case *ssa.Store:
						h := headerOf(r)
						if u.Addr != ssa.Value(r) || h == nil || head != nil && h != head {
							return nil, nil
						}
						head, fill = h, u
					default:
						return nil, nil
					}
				}
			default:
				return nil, nil
			}
		}
	}
	if fill == nil || !d.Block().Dominates(head) {
		return nil, nil
	}
	turn := head.Succs[0] // of the loop
	if len(head.Succs) != 2 || len(turn.Preds) != 1 || !reaches(turn, head) || reaches(head.Succs[1], head) {
		return nil, nil
	}
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if ok && b != fn.Recover && turn.Dominates(b) && failedSince(turn, b) {
			return fill, r
		}
	}
	return nil, nil
}

// failedSince reports whether a block is come to from another one where there is an error only.
func failedSince(from, b *ssa.BasicBlock) bool {
	for ; b != from && b.Idom() != nil; b = b.Idom() {
		t, ok := lastInstr(b.Idom()).(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		o, ok := t.Cond.(*ssa.BinOp)
		if !ok || !isNilConst(o.Y) || !isError(o.X.Type()) {
			continue
		}
		if o.Op == token.NEQ && b.Idom().Succs[0] == b || o.Op == token.EQL && b.Idom().Succs[1] == b {
			return true
		}
	}
	return false
}

// madeLong reports whether a slice was just made, with more than one element.
func madeLong(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.MakeSlice:
		n, isConst := x.Len.(*ssa.Const)
		return !isConst || n.Value != nil && constant.Compare(n.Value, token.GTR, constant.MakeInt64(1))
	case *ssa.Slice:
		al, ok := x.X.(*ssa.Alloc)
		if !ok || al.Comment != "makeslice" || x.Low != nil {
			return false
		}
		n, isConst := x.High.(*ssa.Const)
		return isConst && n.Value != nil && constant.Compare(n.Value, token.GTR, constant.MakeInt64(1))
	}
	return false
}
