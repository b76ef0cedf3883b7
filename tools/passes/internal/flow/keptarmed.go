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
	for fn, i := range a.instrsBeyondTests() {
		d, ok := i.(*ssa.Defer)
		if !ok {
			continue
		}
		mc, ok := d.Call.Value.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		g := a.guardedCleanup(mc.Fn.(*ssa.Function))
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
				message: fmt.Sprintf("what is passed on here is given up by the deferred call as well (%s), though who is called takes it over: for the same call on another way (%s) %s is set to %v", a.line(instrPos(g.call)), a.line(instrPos(given[n])), g.flag.Comment, !g.when),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(given[n]), Message: "taken over here"},
					{Pos: instrPos(g.call), Message: "given up here"},
				},
			})
		}
	}
}

// guardedCleanup is what a literal gives up behind a test of a flag, if it does nothing else.
func (a *analysis) guardedCleanup(fn *ssa.Function) *guardedCleanup {
	if len(fn.Blocks) != 3 {
		return nil
	}
	t, ok := lastInstr(fn.Blocks[0]).(*ssa.If)
	if !ok {
		return nil
	}
	g := &guardedCleanup{when: true}
	cond := t.Cond
	if n, ok := cond.(*ssa.UnOp); ok && n.Op == token.NOT {
		cond, g.when = n.X, false
	}
	l, ok := cond.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil
	}
	if g.flag, ok = a.varAt(l.X).(*ssa.Alloc); !ok {
		return nil
	}
	for n, arm := range t.Block().Succs {
		for _, i := range arm.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			callee := a.calledFunction(c)
			if g.call != nil || callee == nil || !a.relevant[callee] || len(c.Call.Args) == 0 {
				return nil
			}
			x, ok := c.Call.Args[0].(*ssa.UnOp)
			if !ok || x.Op != token.MUL || !isPtr(x.Type()) {
				return nil
			}
			if g.of, ok = a.varAt(x.X).(*ssa.Alloc); !ok {
				return nil
			}
			g.call = c
			if n == 1 {
				g.when = !g.when
			}
		}
	}
	if g.call == nil {
		return nil
	}
	return g
}

// callsByFlag are the calls of what is not in view that are given what a deferred call gives up, and whose result is all
// that is returned: those before which the flag was turned, and those where it was not.
func (a *analysis) callsByFlag(g *guardedCleanup) (given, kept []*ssa.Call) {
	fn := g.flag.Parent()
	var turned []*ssa.Store
	armed := false
	for _, r := range referrers(g.flag) {
		switch r := r.(type) {
		case *ssa.Store:
			k, ok := r.Val.(*ssa.Const)
			if r.Addr != ssa.Value(g.flag) || !ok || k.Value == nil {
				return nil, nil
			}
			if constant.BoolVal(k.Value) != g.when {
				turned = append(turned, r)
			} else if armed || r.Block() != fn.Blocks[0] {
				return nil, nil
			} else {
				armed = true
			}
		case *ssa.MakeClosure, *ssa.DebugRef:
		default:
			return nil, nil
		}
	}
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || a.calledFunction(c) != nil || !returnedAtOnce(c) || !slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool { return isLoadOf(x, g.of) }) {
			continue
		}
		switch {
		case slices.ContainsFunc(turned, func(s *ssa.Store) bool { return precedes(s, c) }):
			given = append(given, c)
		case !slices.ContainsFunc(turned, func(s *ssa.Store) bool { return mayFollow(s, c) || mayFollow(c, s) }):
			kept = append(kept, c)
		}
	}
	if !armed {
		return nil, nil
	}
	return given, kept
}

// returnedAtOnce reports whether the block of a call ends with a return, and nothing else is called or sent before.
func returnedAtOnce(c *ssa.Call) bool {
	b := c.Block()
	if _, ok := lastInstr(b).(*ssa.Return); !ok {
		return false
	}
	for _, i := range b.Instrs[slices.Index(b.Instrs, ssa.Instruction(c))+1:] {
		switch i.(type) {
		case ssa.CallInstruction, *ssa.Send:
			return false
		}
	}
	return true
}

// sameCallee reports whether two calls are of the same function value, or of one method of the same object.
func (a *analysis) sameCallee(x, y *ssa.Call) bool {
	return x.Call.Method == y.Call.Method && a.whereKept(x.Call.Value) == a.whereKept(y.Call.Value)
}
