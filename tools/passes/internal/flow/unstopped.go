// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function given to an AfterFunc that puts a value runs or does not: what stops it tells
// which. Who puts the value too has to ask.

// judgeUnstopped reports puts after an AfterFunc whose function puts the same variable, in a
// function that does not look at what stop, or Stop, answers.
func (a *analysis) judgeUnstopped() {
	for _, fn := range a.fns {
		if a.inTest(fn) || asksOnce(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			c, ok := i.(*ssa.Call)
			if !ok || len(c.Call.Args) != 2 || calledMethod(c) == nil {
				continue
			}
			k := funcKey(calledMethod(c))
			mc, isClosure := unboxed(c.Call.Args[1]).(*ssa.MakeClosure)
			if k != "context.AfterFunc" && k != "time.AfterFunc" || !isClosure || !stopUnasked(c) {
				continue
			}
			body := mc.Fn.(*ssa.Function)
			if asksOnce(body) {
				continue
			}
			for n, x := range mc.Bindings {
				first := a.putOfVariable(body, body.FreeVars[n], func(at ssa.Instruction) bool { return at.Block().Index == 0 })
				if first == nil {
					continue
				}
				second := a.putOfVariable(fn, x, func(at ssa.Instruction) bool { _, later := at.(*ssa.Defer); return !later && after(at, c) })
				if second == nil {
					continue
				}
				a.reportFound(finding{
					pattern: doublePut, pos: instrPos(second), fn: fn, cause: instrPos(second),
					message: "the function of the AfterFunc puts " + orElse(a.putNameAt(second), "this") + " too (" + a.line(instrPos(first)) + "), unless it was stopped in time: put it here only where stopping it gave true",
					related: []goanalysis.RelatedInformation{{Pos: instrPos(c), Message: "the AfterFunc"}, {Pos: instrPos(first), Message: "the Put in its function"}},
				})
			}
		}
	}
}

// stopUnasked reports whether a function stops what an AfterFunc started, if at all, without
// looking at the answer, and does nothing else with it.
func stopUnasked(c *ssa.Call) bool {
	for _, r := range referrers(c) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			stops := r.Call.Value == ssa.Value(c) || calledMethod(r) != nil && funcKey(calledMethod(r)) == "time.Timer.Stop"
			if !stops || slices.ContainsFunc(referrers(r), notDebug) {
				return false
			}
		case *ssa.Defer:
		default:
			return false
		}
	}
	return true
}

// asksOnce reports whether a function takes a lock, swaps a flag, or uses a sync.Once: that
// may decide who puts.
func asksOnce(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		f := calledMethod(c)
		if f == nil || f.Pkg() == nil {
			continue
		}
		switch f.Pkg().Path() {
		case "sync":
			if f.Name() == "Do" || strings.HasSuffix(f.Name(), "Lock") {
				return true
			}
		case "sync/atomic":
			return true
		}
	}
	return false
}

// putOfVariable is a call in a function, of those that count, that puts what a variable holds.
func (a *analysis) putOfVariable(fn *ssa.Function, v ssa.Value, counts func(ssa.Instruction) bool) ssa.Instruction {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, n := range a.uses().sites.putArgs(a, c) {
			x := unboxed(c.Common().Args[n])
			if l, ok := x.(*ssa.UnOp); ok && l.Op == token.MUL {
				x = l.X
			}
			if x == v && counts(i) {
				return i
			}
		}
	}
	return nil
}
