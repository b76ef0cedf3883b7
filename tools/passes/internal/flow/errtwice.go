// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that gives up a reference to its argument whatever happens, and a caller who gives
// one up when the function fails, disagree on who owns the argument then. References are not
// counted along a path; but whoever releases only where the call failed has one to give, and
// the call has taken it.

// judgeErrTwice reports references that both sides give up when a call fails.
func (a *analysis) judgeErrTwice() {
	for c := range a.productCalls() {
		call, ok := c.(*ssa.Call)
		if !ok {
			continue
		}
		failed := failureArm(call)
		if failed == nil {
			continue
		}
		for k, v := range call.Call.Args {
			if pointee(v.Type()) == nil || v.Referrers() == nil {
				continue
			}
			again := a.refsGivenUp(v, call, failed)
			if again == nil {
				continue
			}
			inner := a.alwaysReleases(call, k, 0)
			if inner == nil {
				continue
			}
			a.reportFound(finding{
				pattern: doublePut, pos: instrPos(again), fn: call.Parent(), cause: instrPos(inner),
				message: "when " + nameOfCalled(call) + " fails, the reference that it has given up already (" + a.line(instrPos(inner)) + ") is given up again: it is one for both",
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(inner), Message: "given up here, on every path"},
					{Pos: instrPos(call), Message: "through this call"},
				},
			})
		}
	}
}

// nameOfCalled is the name of what a call calls, for messages.
func nameOfCalled(c ssa.CallInstruction) string {
	if m := calledMethod(c); m != nil {
		return m.Name()
	}
	return "the call"
}

// failureArm is the block that runs only where a call gave an error.
func failureArm(call *ssa.Call) *ssa.BasicBlock {
	var err ssa.Value = call
	if t, ok := call.Type().(*types.Tuple); ok {
		if t.Len() == 0 {
			return nil
		}
		err = part(call, t.Len()-1)
	}
	if err == nil || !isError(err.Type()) || err.Referrers() == nil {
		return nil
	}
	for _, r := range referrers(err) {
		o, ok := r.(*ssa.BinOp)
		if !ok || o.Op != token.NEQ && o.Op != token.EQL {
			continue
		}
		if k, ok := o.Y.(*ssa.Const); !ok || k.Value != nil {
			continue
		}
		for _, u := range referrers(o) {
			i, ok := u.(*ssa.If)
			if !ok {
				continue
			}
			arm := i.Block().Succs[0]
			if o.Op == token.EQL {
				arm = i.Block().Succs[1]
			}
			if len(arm.Preds) == 1 {
				return arm
			}
		}
	}
	return nil
}

// refsGivenUp is where a function gives up a reference to v after a call that failed, and
// only then; nil if it does anything with v that may take another one.
func (a *analysis) refsGivenUp(v ssa.Value, call *ssa.Call, failed *ssa.BasicBlock) ssa.Instruction {
	var found ssa.Instruction
	for _, r := range referrers(v) {
		c, ok := r.(ssa.CallInstruction)
		if !ok || r == call {
			continue
		}
		if a.countsUp(c) {
			return nil
		}
		if len(c.Common().Args) == 0 || c.Common().Args[0] != v || !a.countsDown(a.calledFunction(c)) {
			continue
		}
		if _, isCall := r.(*ssa.Call); !isCall || !failed.Dominates(r.Block()) {
			return nil // also where it succeeded
		}
		found = r
	}
	return found
}

// countsDown reports whether a method takes one from a count in its receiver, which goes
// to a pool, or on a channel, when nothing is left.
func (a *analysis) countsDown(fn *ssa.Function) bool {
	if fn == nil || len(fn.Params) == 0 || fn.Signature.Recv() == nil || !a.relevant[fn] && !handsOn(fn) {
		return false
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Call:
			f := calledMethod(i)
			if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(f.Name(), "Add") {
				continue
			}
			fa, ok := i.Call.Args[0].(*ssa.FieldAddr)
			n, isConst := i.Call.Args[len(i.Call.Args)-1].(*ssa.Const)
			if ok && fa.X == fn.Params[0] && isConst && n.Value != nil && constant.Sign(n.Value) < 0 {
				return true
			}
		case *ssa.Store:
			fa, ok := i.Addr.(*ssa.FieldAddr)
			o, isSub := i.Val.(*ssa.BinOp)
			if ok && fa.X == fn.Params[0] && isSub && o.Op == token.SUB && isInteger(o.Type()) && readsField(o.X, fa, 4) {
				return true
			}
		}
	}
	return false
}

// handsOn reports whether a function sends on a channel, as free lists are filled.
func handsOn(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
			switch i.(type) {
			case *ssa.Send, *ssa.Select:
				return true
			}
			return false
		})
	})
}

// alwaysReleases is where what a call calls gives up a reference to its argument, whichever
// way it returns; of an interface's method, that of all types of the package that have it. One that passes its
// argument on does what it passes that to does.
func (a *analysis) alwaysReleases(call ssa.CallInstruction, k, depth int) ssa.Instruction {
	if depth > 3 {
		return nil
	}
	common := call.Common()
	var fns []*ssa.Function
	if fn := a.calledFunction(call); fn != nil {
		fns = append(fns, fn)
		if common.IsInvoke() {
			k++
		}
	} else if it, ok := common.Value.Type().Underlying().(*types.Interface); ok && common.IsInvoke() {
		k++
		for _, fn := range a.fns {
			if fn.Name() == common.Method.Name() && fn.Signature.Recv() != nil && !a.inTest(fn) && types.Implements(fn.Params[0].Type(), it) {
				fns = append(fns, fn)
			}
		}
	}
	var at ssa.Instruction
	for _, fn := range fns {
		if at = a.releasesAlways(fn, k, depth); at == nil {
			return nil
		}
	}
	return at
}

// releasesAlways is where a function gives up a reference to its parameter on every path.
func (a *analysis) releasesAlways(fn *ssa.Function, k, depth int) ssa.Instruction {
	if k >= len(fn.Params) {
		return nil
	}
	p := fn.Params[k]
	for _, r := range referrers(p) {
		c, ok := r.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if _, isGo := r.(*ssa.Go); isGo || a.countsUp(c) {
			return nil
		}
		at := r
		if len(c.Common().Args) == 0 || c.Common().Args[0] != ssa.Value(p) || !a.countsDown(a.calledFunction(c)) {
			n := slices.Index(c.Common().Args, ssa.Value(p))
			if n < 0 {
				continue
			}
			if at = a.alwaysReleases(c, n, depth+1); at == nil {
				continue
			}
		}
		if !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
			_, isReturn := lastInstr(b).(*ssa.Return)
			return isReturn && b != fn.Recover && !r.Block().Dominates(b)
		}) {
			return at
		}
	}
	return nil
}
