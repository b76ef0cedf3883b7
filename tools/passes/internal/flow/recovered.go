// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function whose deferred function recovers expects that what it calls may panic. The deferred calls run on that
// way as well, with what the path had set until then.

// mayPanic reports whether a path follows the panic of a call as well: of code that is chosen at run time, in a function
// that defers one which recovers.
func (a *analysis) mayPanic(st *state, i *ssa.Call) bool {
	return !st.f.inDefer && runsOthersCode(i) && slices.ContainsFunc(st.f.defers, func(d *deferred) bool {
		fn := d.function()
		return fn != nil && recovers(fn)
	})
}

// runsOthersCode reports whether a call is of code that is chosen at run time, in a function that has an end for panics.
// Methods without parameters, such as Lock, Close and Error, are not thought of.
func runsOthersCode(i *ssa.Call) bool {
	if i.Parent().Recover == nil || i.Call.IsInvoke() && len(i.Call.Args) == 0 {
		return false
	}
	switch i.Call.Value.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Builtin:
		return false
	}
	return true
}

// function is the function that a deferred call is of, or nil.
func (d *deferred) function() *ssa.Function {
	if d.callee.fn == nil {
		return nil
	}
	fn, _ := d.callee.fn.function()
	return fn
}

// recovers reports whether a function calls recover itself.
func recovers(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Call); ok && isBuiltin(c, "recover") {
			return true
		}
	}
	return false
}

// panics are the points at which a path goes on when a call panicked, and a deferred call recovered from that. What the
// path had is not lost there: many drop what they had when a panic came.
func (a *analysis) panics(st *state) []work {
	st = st.clone()
	fn := st.f.fn
	st.panics, st.recovered = len(st.f.stack)+1, false
	for _, t := range st.toks {
		st.handOver(t)
	}
	var next []work
	for _, s := range a.runDefers(st) {
		s.panics = 0
		if s.recovered {
			next = append(next, work{st: s, block: fn.Recover})
		}
	}
	return next
}

// recoverCall is what recover gives: nil, unless the function that deferred its caller panics. Where panics of that are not
// followed, it may be either.
func (a *analysis) recoverCall(st *state, i ssa.CallInstruction, typ types.Type) *sym {
	x := a.opaque(st, i, 0, typ)
	by := st.f.parent
	switch {
	case by == nil:
	case st.panics == len(by.stack)+1:
		st.truth[a.syms.nilTest(x)] = false
		st.recovered = true
	case followsPanics(by.fn):
		st.truth[a.syms.nilTest(x)] = true
	}
	return x
}

// followsPanics reports whether a function has a call of which panics are followed.
func followsPanics(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Call); ok && runsOthersCode(c) {
			return true
		}
	}
	return false
}
