// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that runs code in a goroutine, which recovers from its panic and sends that, panics with it in its own
// place. Whoever wrote that means the program to go on, and the goroutine has come to its end: where all
// other ways of the function put a value, it is lost on this one.

// notePanicOn records what a path of the root has when it panics with what a goroutine recovered from.
func (a *analysis) notePanicOn(st *state, i *ssa.Panic) {
	if st.f.parent != nil || a.several || a.once || !panicsOn(i) {
		return
	}
	a.quiet++
	defer func() { a.quiet-- }()
	st.panics = len(st.f.stack) + 1
	for _, s := range a.runDefers(st) {
		a.panickedOn = append(a.panickedOn, panicEnd{exit{st: s}, i})
	}
}

// A panicEnd is the end of a path that panics.
type panicEnd struct {
	exit
	at *ssa.Panic
}

// panicsOn reports whether a function panics with what it received from a goroutine of its own that recovered from it.
func panicsOn(i *ssa.Panic) bool {
	var ch ssa.Value
	switch x := unboxed(i.X).(type) {
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			ch = x.X
		}
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.UnOp:
			if t.Op == token.ARROW && x.Index == 0 {
				ch = t.X
			}
		case *ssa.Select:
			n := 2
			for _, s := range t.States {
				if s.Dir != types.RecvOnly {
					continue
				}
				if n == x.Index {
					ch = s.Chan
				}
				n++
			}
		}
	}
	return ch != nil && slices.ContainsFunc(i.Parent().AnonFuncs, func(fn *ssa.Function) bool { return sendsRecovered(fn, ch.Type()) })
}

// sendsRecovered reports whether a function, or a literal in it, sends what it recovered from on a channel of such a type.
func sendsRecovered(fn *ssa.Function, ch types.Type) bool {
	recovered := func(v ssa.Value) bool {
		c, ok := unboxed(v).(*ssa.Call)
		return ok && isBuiltin(c, "recover")
	}
	elem := func(t types.Type) types.Type { return t.Underlying().(*types.Chan).Elem() }
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send:
			if recovered(i.X) && types.Identical(elem(i.Chan.Type()), elem(ch)) {
				return true
			}
		case *ssa.Select:
			for _, s := range i.States {
				if s.Dir == types.SendOnly && recovered(s.Send) && types.Identical(elem(s.Chan.Type()), elem(ch)) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(lit *ssa.Function) bool { return sendsRecovered(lit, ch) })
}

// lostInPanics finds what was lost where such paths end.
func (a *analysis) lostInPanics() {
	for _, e := range a.panickedOn {
		kept, shelved := a.keptAt(e.exit, false)
		for _, t := range e.st.toks {
			l := a.leaks[leakKey{t.stack[0], t.pool.label()}]
			if l == nil || l.panicked != nil || a.hasOrHad(e.st, t) || kept[t] || shelved[t] != nil {
				continue
			}
			l.panicked = e.at
		}
	}
}

// hasOrHad reports whether somebody else may have a value, it was put, or it is nothing to put.
func (a *analysis) hasOrHad(st *state, t *sym) bool {
	if isNil, ok := st.truth[a.syms.nilTest(t)]; ok && isNil || otherType(st, t) || st.measured[t] != 0 || a.failed(st, t) {
		return true
	}
	for x := range st.rel {
		if x == t || madeOver(x, t) {
			return true
		}
	}
	return st.gone[t] || st.handed[t] || st.sent[t] != nil || exchanged(st, t) || countedOut(st, t)
}

// reportPanicked reports a value that is put on all ways but that of such a panic.
func (a *analysis) reportPanicked(l *leak) {
	if l.panicked == nil || !l.put || l.handed || len(l.shelved)+len(l.lent)+len(l.left) > 0 {
		return
	}
	at := instrPos(l.panicked)
	a.report(finding{
		pattern: missingPut, pos: l.get.stack[0], fn: a.root, pool: l.get.pool,
		message: a.saidTaken(l.get.stack, l.get.pool.label()) + " is not put back where the panic of a goroutine is passed on (" + a.line(at) + ")",
		more:    a.acquired(l.get),
		related: []goanalysis.RelatedInformation{{Pos: at, Message: "lost here"}},
	})
}
