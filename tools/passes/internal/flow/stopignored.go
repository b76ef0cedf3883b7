// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A timer in a pooled object runs a function that works on the object. Who stops it and puts the
// object has to ask whether it was stopped in time: the function may have begun, and wait for a lock.

// judgeStopIgnored reports puts of objects after a Stop of their timer that nobody looked at.
func (a *analysis) judgeStopIgnored() {
	var starts map[*types.Var]*ssa.Call
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for n, i := range b.Instrs {
				stop, ok := i.(*ssa.Call)
				if !ok || calledMethod(stop) == nil || funcKey(calledMethod(stop)) != "time.Timer.Stop" || slices.ContainsFunc(referrers(stop), notDebug) {
					continue
				}
				timer := a.whereKept(stop.Call.Args[0])
				if timer.field == nil {
					continue
				}
				put := a.putRightAfter(b, n+1, keptIn{of: timer.of})
				if put == nil {
					continue
				}
				if starts == nil {
					starts = a.timerStarts()
				}
				start := starts[timer.field]
				if start == nil {
					continue
				}
				a.reportFound(finding{
					pattern: goroutineUse, pos: instrPos(put), fn: fn, cause: instrPos(put),
					message: orElse(a.putNameAt(put), "this") + " is put although the function of its timer may have begun (" + a.line(instrPos(start)) + "), which works on it: put it only where Stop gave true",
					related: []goanalysis.RelatedInformation{{Pos: instrPos(start), Message: "the timer"}, {Pos: instrPos(stop), Message: "stopped here, without a look at the answer"}},
				})
			}
		}
	}
}

// timerStarts are the calls of AfterFunc whose timers are kept in a field of the object that their
// function works on, and that it tells by nothing but its address.
func (a *analysis) timerStarts() map[*types.Var]*ssa.Call {
	starts := map[*types.Var]*ssa.Call{}
	for _, fn := range a.fns {
		eachStore(fn, func(st *ssa.Store) {
			c, ok := st.Val.(*ssa.Call)
			fa, isField := st.Addr.(*ssa.FieldAddr)
			if !ok || !isField || calledMethod(c) == nil || funcKey(calledMethod(c)) != "time.AfterFunc" || len(c.Call.Args) != 2 {
				return
			}
			mc, ok := unboxed(c.Call.Args[1]).(*ssa.MakeClosure)
			if !ok {
				return
			}
			obj := a.placeOfField(fa)
			works := false
			for k, x := range mc.Bindings {
				body := mc.Fn.(*ssa.Function)
				if k >= len(body.FreeVars) {
					continue
				}
				of := a.varAt(x)
				if of == nil {
					of = x
				}
				if al, ok := of.(*ssa.Alloc); ok {
					if only := storedOnce(al); only != nil {
						of = a.whereKept(only).of
					}
				}
				if of == obj.of && worksWith(body.FreeVars[k], 0) {
					works = true
				}
				if p, ok := x.Type().Underlying().(*types.Pointer); ok && isInteger(p.Elem()) {
					return // a number may tell whose turn it is
				}
			}
			if works {
				starts[obj.field] = c
			}
		})
	}
	return starts
}
