// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pooled object that is itself the context of a request outlives the handler: contexts that are made from it have it
// as their parent, and a goroutine of package context's, or of who made them, asks that whether it is done.

// judgePooledContexts reports Puts of what was given to others as a request's context.
func (a *analysis) judgePooledContexts() {
	s := a.uses().sites
	for c := range a.productCalls() {
		m := calledMethod(c)
		with, ok := c.(*ssa.Call)
		if !ok || funcKey(m) != "net/http.Request.WithContext" && funcKey(m) != "net/http.Request.Clone" || len(c.Common().Args) != 2 {
			continue
		}
		box, ok := c.Common().Args[1].(*ssa.MakeInterface)
		if !ok || !a.uses().fromTaken(box.X, 0) {
			continue
		}
		a.judgePooledContext(s, with, with, box.X)
		// A function may return both, so that who called it has to put the object.
		for _, at := range s.callers[origin(c.Parent())] {
			call, ok := at.(*ssa.Call)
			if !ok || call.Call.IsInvoke() || a.inTest(call.Parent()) {
				continue
			}
			if r, x := bothReturned(call, with, box.X); r != nil && x != nil {
				a.judgePooledContext(s, with, r, x)
			}
		}
	}
}

// bothReturned are the results of a call that are two values of the function it calls, wherever that returns them.
func bothReturned(call *ssa.Call, x, y ssa.Value) (first, second ssa.Value) {
	for _, b := range x.Parent().Blocks {
		ret, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		m, n := slices.Index(ret.Results, x), slices.Index(ret.Results, y)
		if m < 0 || n < 0 {
			continue
		}
		return part(call, m), part(call, n)
	}
	return nil, nil
}

// judgePooledContext reports Puts of an object that a request has as its context, where that is passed on.
func (a *analysis) judgePooledContext(s *sites, with *ssa.Call, request, object ssa.Value) {
	if !givenToOthers(request) {
		return
	}
	made := request.(ssa.Instruction)
	for i := range instrsOf(made.Parent()) {
		put, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		_, later := put.(*ssa.Defer)
		if !later && put.Block() != made.Block() && !reaches(made.Block(), put.Block()) {
			continue
		}
		for _, n := range s.putArgs(a, put) {
			if unboxed(put.Common().Args[n]) != object || a.asksFlag(put, n) {
				continue
			}
			a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(put), fn: put.Parent(),
				message: fmt.Sprintf("%s was the context of a request (%s): contexts that were made from it outlive the handler, and ask it whether it is done", apposed(a.putNameAt(put), "put here", "what is put here"), a.line(instrPos(with))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(with), Message: "made the request's context here"}},
			})
		}
	}
}

// asksFlag reports whether the function that a call gives a value to, to be put, asks a flag in it: others may have
// said there that they need it longer.
func (a *analysis) asksFlag(put ssa.CallInstruction, n int) bool {
	fn := a.calledFunction(put)
	if fn == nil || n >= len(fn.Params) {
		return false
	}
	for i := range instrsOf(fn) {
		fa, ok := i.(*ssa.FieldAddr)
		if ok && fa.X == ssa.Value(fn.Params[n]) && isBool(deref(fa.Type())) {
			for _, r := range referrers(fa) {
				if l, ok := r.(*ssa.UnOp); ok && l.Op == token.MUL {
					return true
				}
			}
		}
	}
	return false
}

// givenToOthers reports whether a request is passed on.
func givenToOthers(c ssa.Value) bool {
	for _, r := range referrers(c) {
		switch r := r.(type) {
		case ssa.CallInstruction:
			args := r.Common().Args
			if !r.Common().IsInvoke() && r.Common().Signature().Recv() != nil {
				args = args[1:] // its own methods do not pass it on
			}
			if slices.Contains(args, c) {
				return true
			}
		case *ssa.Store:
			if r.Val == c {
				return true
			}
		}
	}
	return false
}
