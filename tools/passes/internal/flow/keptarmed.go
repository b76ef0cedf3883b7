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

// A deferred call that gives something up may ask a flag first, which is turned before a call that takes that over.
// Where the same call is made with the flag as it was, both have it.

// A guardedCleanup is a deferred literal that gives up what is in a variable unless a flag was turned.
type guardedCleanup struct {
	call *ssa.Call // in the literal
	flag *ssa.Alloc
	of   *ssa.Alloc
	when bool // what the flag has where it does so
}

// judgeKeptArmed reports such calls.
func (a *analysis) judgeKeptArmed() {
	for fn, d := range a.deferredLiterals() {
		g := a.guardedCleanup(literalOf(d))
		if g == nil || g.flag.Parent() != fn || g.of.Parent() != fn || storedOnce(g.of) == nil {
			continue
		}
		given, kept := a.callsByFlag(g)
		for _, k := range kept {
			n := slices.IndexFunc(given, func(c *ssa.Call) bool { return a.sameCallee(c, k) })
			if n < 0 {
				continue
			}
			a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(k), fn: fn, cause: instrPos(g.call),
				message: fmt.Sprintf("%s is given up by the deferred call as well (%s), though who is called takes it over: for the same call on another way (%s) %s is set to %v", apposed(a.passedName(k), "passed on here", "what is passed on here"), a.line(instrPos(g.call)), a.line(instrPos(given[n])), g.flag.Comment, !g.when),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(given[n]), Message: "taken over here"},
					{Pos: instrPos(g.call), Message: "given up here"},
				},
			})
		}
	}
}

// guardedCleanup is what a literal gives up behind a test of a flag, the only one that it has.
func (a *analysis) guardedCleanup(fn *ssa.Function) *guardedCleanup {
	var t *ssa.If
	for _, b := range fn.Blocks {
		if i, ok := lastInstr(b).(*ssa.If); ok {
			if t != nil {
				return nil
			}
			t = i
		}
	}
	if t == nil {
		return nil
	}
	g := &guardedCleanup{}
	cond, is := t.Cond, true
	for {
		n, ok := cond.(*ssa.UnOp)
		if !ok || n.Op != token.NOT {
			break
		}
		cond, is = n.X, !is
	}
	l, ok := cond.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil
	}
	if g.flag, ok = a.varAt(l.X).(*ssa.Alloc); !ok {
		return nil
	}
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || len(c.Call.Args) == 0 {
			continue
		}
		callee := a.calledFunction(c)
		x, ok := c.Call.Args[0].(*ssa.UnOp)
		if g.call != nil || callee == nil || !a.relevant[callee] || !ok || x.Op != token.MUL || !isPtr(x.Type()) {
			return nil
		}
		if g.of, ok = a.varAt(x.X).(*ssa.Alloc); !ok {
			return nil
		}
		g.call = c
	}
	if g.call == nil {
		return nil
	}
	for n, arm := range t.Block().Succs {
		if len(arm.Preds) == 1 && arm.Dominates(g.call.Block()) {
			g.when = is == (n == 0)
			return g
		}
	}
	return nil
}

// callsByFlag are the calls of what is not in view that are given what a deferred call gives up, and whose result is all
// that is returned: those before which the flag was turned, and those where it was not.
func (a *analysis) callsByFlag(g *guardedCleanup) (given, kept []*ssa.Call) {
	var turned []*ssa.Store
	var armed *ssa.Store
	for _, r := range referrers(g.flag) {
		switch r := r.(type) {
		case *ssa.Store:
			k, ok := r.Val.(*ssa.Const)
			if r.Addr != ssa.Value(g.flag) || !ok || k.Value == nil {
				return nil, nil
			}
			if constant.BoolVal(k.Value) != g.when {
				turned = append(turned, r)
			} else if armed != nil || inLoop(r.Block()) {
				return nil, nil
			} else {
				armed = r
			}
		case *ssa.MakeClosure, *ssa.DebugRef:
		default:
			return nil, nil
		}
	}
	if armed == nil {
		return nil, nil
	}
	for i := range instrsOf(g.flag.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || !precedes(armed, c) || a.calledFunction(c) != nil || !returnedAtOnce(c, g.of) || !slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool { return isLoadOf(x, g.of) }) {
			continue
		}
		switch {
		case slices.ContainsFunc(turned, func(s *ssa.Store) bool { return precedes(s, c) }):
			given = append(given, c)
		case !slices.ContainsFunc(turned, func(s *ssa.Store) bool { return mayFollow(s, c) || mayFollow(c, s) }):
			kept = append(kept, c)
		}
	}
	return given, kept
}

// returnedAtOnce reports whether the block of a call ends with a return, and nothing is done with a variable between.
func returnedAtOnce(c *ssa.Call, v *ssa.Alloc) bool {
	b := c.Block()
	if _, ok := lastInstr(b).(*ssa.Return); !ok {
		return false
	}
	return !slices.ContainsFunc(b.Instrs[slices.Index(b.Instrs, ssa.Instruction(c))+1:], func(i ssa.Instruction) bool {
		return slices.ContainsFunc(i.Operands(nil), func(o *ssa.Value) bool { return *o == ssa.Value(v) })
	})
}

// sameCallee reports whether two calls are of the same function value, or of one method of the same object.
func (a *analysis) sameCallee(x, y *ssa.Call) bool {
	return x.Call.Method == y.Call.Method && a.whereKept(x.Call.Value) == a.whereKept(y.Call.Value)
}
