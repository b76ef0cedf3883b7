// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
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
		if !ok || !a.uses().fromTaken(box.X, 0) || !givenToOthers(with) {
			continue
		}
		for i := range instrsOf(c.Parent()) {
			put, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			_, later := put.(*ssa.Defer)
			if !later && put.Block() != with.Block() && !reaches(with.Block(), put.Block()) {
				continue
			}
			for _, n := range s.putArgs(a, put) {
				if unboxed(put.Common().Args[n]) != box.X {
					continue
				}
				a.reportFound(finding{
					pattern: goroutineUse, pos: instrPos(put), fn: put.Parent(),
					message: fmt.Sprintf("what is put here was the context of a request (%s): contexts that were made from it outlive the handler, and ask it whether it is done", a.line(instrPos(with))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(with), Message: "made the request's context here"}},
				})
			}
		}
	}
}

// givenToOthers reports whether the request that a call gives is passed on.
func givenToOthers(c *ssa.Call) bool {
	for _, r := range referrers(c) {
		switch r := r.(type) {
		case ssa.CallInstruction:
			args := r.Common().Args
			if !r.Common().IsInvoke() && r.Common().Signature().Recv() != nil {
				args = args[1:] // its own methods do not pass it on
			}
			if slices.Contains(args, ssa.Value(c)) {
				return true
			}
		case *ssa.Store:
			if r.Val == ssa.Value(c) {
				return true
			}
		}
	}
	return false
}
