// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"iter"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object may start a goroutine that works with a pooled value in one of its fields, and
// have another method that puts the value. If the goroutine gives no sign of its end, be it on
// a channel or to a WaitGroup, nobody can have waited for it.

// A worker is a goroutine that uses what a field holds.
type worker struct {
	start *ssa.Go
	use   ssa.Instruction
	body  *ssa.Function
}

// judgeRunning reports puts of what a goroutine that cannot be waited for still uses.
func (a *analysis) judgeRunning() {
	s := a.uses().sites
	workers := map[*types.Var][]worker{}
	for g, body := range a.silentGoroutines() {
		for v, use := range a.usedFields(g, body) {
			workers[v] = append(workers[v], worker{g, use, body})
		}
	}
	if len(workers) == 0 {
		return
	}
	for c := range a.productCalls() {
		if _, isGo := c.(*ssa.Go); isGo || c.Common().IsInvoke() {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			v := fieldOfValue(unboxed(c.Common().Args[n]))
			if v == nil {
				continue
			}
			for _, w := range workers[v.Origin()] {
				if a.mayWait(c.Parent(), 0) || a.reachesCall(w.body, c.Parent(), 0) || c.Parent() == w.start.Parent() || locked(c) && locked(w.use) {
					continue
				}
				if slices.ContainsFunc(s.callers[c.Parent()], func(o ssa.CallInstruction) bool { return a.mayWait(o.Parent(), 1) }) {
					continue
				}
				a.reportFound(finding{
					pattern: goroutineUse, pos: instrPos(c), fn: c.Parent(), cause: instrPos(c),
					message: "field " + v.Name() + " is put while the goroutine that " + w.start.Parent().Name() + " started (" + a.line(instrPos(w.start)) + ") may still use it: nothing tells that it has ended",
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(w.start), Message: "started here"},
						{Pos: instrPos(w.use), Message: "used here"},
					},
				})
				break
			}
		}
	}
}

// silentGoroutines are the goroutines that give no sign of their end, with the functions that they run.
func (a *analysis) silentGoroutines() iter.Seq2[*ssa.Go, *ssa.Function] {
	return func(yield func(*ssa.Go, *ssa.Function) bool) {
		for c := range a.productCalls() {
			g, ok := c.(*ssa.Go)
			if !ok {
				continue
			}
			if body := startedBody(g); body != nil && a.inPackage(body) && !a.signs(body, 0) && !yield(g, body) {
				return
			}
		}
	}
}

// startedBody is the function that a go statement runs.
func startedBody(g *ssa.Go) *ssa.Function {
	if c, ok := g.Call.Value.(*ssa.MakeClosure); ok {
		return c.Fn.(*ssa.Function)
	}
	return g.Call.StaticCallee()
}

// signs reports whether a goroutine with this body lets others know of its progress.
func (a *analysis) signs(fn *ssa.Function, depth int) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send, *ssa.Select:
			return true
		case *ssa.UnOp:
			if isChan(i.X.Type()) {
				return true // what it works on is handed to it
			}
		case ssa.CallInstruction:
			c := i.Common()
			if bi, ok := c.Value.(*ssa.Builtin); ok {
				if bi.Name() == "close" {
					return true
				}
				continue
			}
			if m := calledMethod(i); m != nil && m.Pkg() != nil {
				switch m.Pkg().Path() {
				case "sync/atomic":
					return true
				case "sync":
					if m.Name() != "Lock" && m.Name() != "Unlock" && m.Name() != "RLock" && m.Name() != "RUnlock" && m.Name() != "Get" && m.Name() != "Put" {
						return true
					}
				}
			}
			f := a.calledFunction(i)
			if mc, ok := c.Value.(*ssa.MakeClosure); ok {
				f = mc.Fn.(*ssa.Function)
			}
			switch {
			case f != nil && (depth > 3 || a.signs(f, depth+1)):
				return true
			case f == nil && calledMethod(i) == nil:
				return true // a function that is chosen at run time
			}
		}
	}
	return false
}

// usedFields are the fields whose values the goroutine works with in a loop.
func (a *analysis) usedFields(g *ssa.Go, body *ssa.Function) map[*types.Var]ssa.Instruction {
	used := map[*types.Var]ssa.Instruction{}
	note := func(v ssa.Value, by ssa.Value) {
		f := a.homeOf(v)
		if f == nil || by.Referrers() == nil {
			return
		}
		for _, r := range referrers(by) {
			if inLoop(r.Block()) {
				used[f.Origin()] = r
				return
			}
		}
	}
	for k, x := range g.Call.Args {
		if k < len(body.Params) {
			note(x, body.Params[k])
		}
	}
	if c, ok := g.Call.Value.(*ssa.MakeClosure); ok {
		for k, x := range c.Bindings {
			note(x, body.FreeVars[k])
		}
	}
	// What it reads itself of the object that it was started with.
	for _, b := range body.Blocks {
		for _, i := range b.Instrs {
			fa, ok := i.(*ssa.FieldAddr)
			if !ok || !inLoop(b) || !startedWith(fa.X) {
				continue
			}
			if f := nthField(fa.X, fa.Field); f != nil && used[f] == nil {
				for _, r := range referrers(fa) {
					if l, ok := r.(*ssa.UnOp); ok {
						used[f] = l
						break
					}
				}
			}
		}
	}
	return used
}

// startedWith reports whether a value is one that the function was given or captured.
func startedWith(v ssa.Value) bool {
	if l, ok := v.(*ssa.UnOp); ok {
		v = l.X
	}
	switch v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	}
	return false
}

// homeOf is the field that a value was loaded from, or stored in by the same function.
func (a *analysis) homeOf(v ssa.Value) *types.Var {
	if f := fieldOfValue(v); f != nil {
		return f
	}
	if v.Referrers() == nil {
		return nil
	}
	for _, r := range referrers(v) {
		if st, ok := r.(*ssa.Store); ok && st.Val == v {
			if f := fieldOfAddr(st.Addr); f != nil {
				return f
			}
		}
	}
	return nil
}

// mayWait reports whether a function may wait for a goroutine, or was asked to by what is
// not in view.
func (a *analysis) mayWait(fn *ssa.Function, depth int) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send, *ssa.Select:
			return true
		case *ssa.UnOp:
			if isChan(i.X.Type()) {
				return true
			}
		case ssa.CallInstruction:
			if _, ok := i.Common().Value.(*ssa.Builtin); ok {
				continue
			}
			if f := a.calledFunction(i); f != nil {
				if depth > 2 || f != fn && a.mayWait(f, depth+1) {
					return true
				}
				continue
			}
			if !neverWaits(i) {
				return true
			}
		}
	}
	return false
}

// neverWaits reports whether a call of what is not in view waits for no goroutine.
func neverWaits(c ssa.CallInstruction) bool {
	m := calledMethod(c)
	if m == nil {
		n, ok := types.Unalias(c.Common().Value.Type()).(*types.Named)
		return ok && namedPkg(n) == "context" // a CancelFunc
	}
	if m.Pkg() == nil {
		return true // Error of an error
	}
	switch m.Name() {
	case "Close", "Lock", "Unlock", "RLock", "RUnlock", "Put", "Get", "Reset", "SetDeadline", "SetReadDeadline":
		return isStdPath(m.Pkg().Path())
	}
	switch m.Pkg().Path() {
	case "errors", "fmt", "bytes", "strings", "strconv", "sync/atomic", "log", "log/slog", "time":
		return m.Name() != "Sleep"
	}
	return false
}

// reachesCall reports whether a function calls another one, directly or by others.
func (a *analysis) reachesCall(from, to *ssa.Function, depth int) bool {
	if from == to {
		return true
	}
	if depth > 4 {
		return true // too far to tell
	}
	for i := range instrsOf(from) {
		if c, ok := i.(ssa.CallInstruction); ok {
			if f := a.calledFunction(c); f != nil && f != from && a.reachesCall(f, to, depth+1) {
				return true
			}
		}
		if mc, ok := i.(*ssa.MakeClosure); ok && a.reachesCall(mc.Fn.(*ssa.Function), to, depth+1) {
			return true
		}
	}
	return false
}
