// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that takes a value from a pool, calls a function that was chosen at run time with
// it, and puts it after, lends it for that call. What is called so may leave a goroutine behind
// that uses the value, if it returns without a sign of the goroutine's end: after a timeout, or
// because it never waits.

// A loan is a call that lends a pooled value to a function chosen at run time.
type loan struct {
	call *ssa.Call
	arg  int // of the call
	rel  ssa.Instruction
}

// judgeOutlived reports goroutines that outlive the loan of what they use.
func (a *analysis) judgeOutlived() {
	s := a.uses().sites
	pooled := map[*types.Named]bool{}
	for _, g := range s.gets {
		pooled[g.typ] = true
	}
	if len(pooled) == 0 {
		return
	}
	var loans []loan
	var others []loan // of values that are not put after the call, or not always
	for c := range a.productCalls() {
		call, ok := c.(*ssa.Call)
		if !ok || a.calledFunction(c) != nil || c.Common().StaticCallee() != nil {
			continue
		}
		if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
			continue
		}
		for n, x := range call.Call.Args {
			x = unboxed(x)
			if t := pointee(x.Type()); t == nil || !pooled[t.Origin()] {
				continue
			}
			if _, ok := x.(*ssa.Const); ok || a.given(x, 0) || madeHere(x) {
				continue // on loan already, or of no pool
			}
			rel, ifDone := a.releasedAfter(s, call, x)
			if ci, ok := rel.(ssa.CallInstruction); ok && !ifDone && a.putsAlways(s, ci, x, 0) && takenHere(a, s, x, 0) {
				loans = append(loans, loan{call, n, rel})
			} else {
				others = append(others, loan{call, n, nil})
			}
		}
	}
	for _, l := range loans {
		if slices.ContainsFunc(others, func(o loan) bool { return sameCallee(l.call, o.call) }) {
			continue
		}
		for _, f := range a.borrowers(s, l) {
			k := l.arg
			if l.call.Call.IsInvoke() {
				k++
			}
			if k >= len(f.Params) || a.inTest(f) {
				continue
			}
			for _, g := range a.leftRunning(f, f.Params[k]) {
				if a.goroutineFound(g) {
					continue
				}
				a.reportFound(finding{
					pattern: goroutineUse, pos: instrPos(g), fn: g.Parent(), cause: instrPos(g),
					message: fmt.Sprintf("%s is only lent to this function by %s, which puts it after the call (%s), but the goroutine may use it longer: a path returns without waiting for it", f.Params[k].Name(), l.call.Parent().Name(), a.line(instrPos(l.rel))),
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(l.call), Message: "lent here"},
						{Pos: instrPos(l.rel), Message: "put here after the call"},
					},
				})
			}
		}
	}
}

// madeHere reports whether a value is a variable's address or a literal.
func madeHere(x ssa.Value) bool {
	_, ok := x.(*ssa.Alloc)
	return ok
}

// goroutineFound reports whether the walk has reported a goroutine.
func (a *analysis) goroutineFound(g *ssa.Go) bool {
	for _, f := range a.found {
		if f.pattern == goroutineUse && slices.ContainsFunc(f.related, func(r goanalysis.RelatedInformation) bool { return r.Pos == instrPos(g) }) {
			return true
		}
	}
	return false
}

// given reports whether a function has a value, or the variable that it is in, from its caller.
func (a *analysis) given(x ssa.Value, depth int) bool {
	if l, ok := x.(*ssa.UnOp); ok && l.Op == token.MUL {
		x = l.X
	}
	switch v := x.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Alloc:
		from := variableOf(v)
		return from != x && depth < 4 && a.given(from, depth+1)
	case *ssa.FreeVar:
		made := a.closures[v.Parent()]
		k := slices.Index(v.Parent().FreeVars, v)
		return len(made) > 0 && depth < 4 && !slices.ContainsFunc(made, func(m *ssa.MakeClosure) bool { return !a.given(m.Bindings[k], depth+1) })
	}
	return false
}

// takenHere reports whether a value was taken from a pool, or made where that had none.
func takenHere(a *analysis, s *sites, x ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch v := x.(type) {
	case *ssa.Call:
		return s.gets0(a, v)
	case *ssa.TypeAssert:
		return takenHere(a, s, v.X, depth+1)
	case *ssa.Extract:
		return v.Index == 0 && takenHere(a, s, v.Tuple, depth+1)
	case *ssa.ChangeType:
		return takenHere(a, s, v.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return e != x && takenHere(a, s, e, depth+1) })
	}
	return false
}

// putsAlways reports whether a call puts a value on every path.
func (a *analysis) putsAlways(s *sites, c ssa.CallInstruction, v ssa.Value, depth int) bool {
	if m := calledMethod(c); m != nil && funcKey(m) == "sync.Pool.Put" && !c.Common().IsInvoke() {
		return unboxed(c.Common().Args[1]) == v
	}
	fn := a.calledFunction(c)
	if fn == nil || depth > 3 || c.Common().IsInvoke() {
		return false
	}
	for k, x := range c.Common().Args {
		if unboxed(x) != v || k >= len(fn.Params) || !s.putter[fn][k] {
			continue
		}
		puts := map[*ssa.BasicBlock]bool{}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if ci, ok := i.(ssa.CallInstruction); ok && a.putsAlways(s, ci, fn.Params[k], depth+1) {
					puts[b] = true
				}
			}
		}
		if !returnsAround(fn.Blocks[0], puts) {
			return true
		}
	}
	return false
}

// returnsAround reports whether a path from a block returns without any of the others.
func returnsAround(from *ssa.BasicBlock, by map[*ssa.BasicBlock]bool) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var around func(b *ssa.BasicBlock) bool
	around = func(b *ssa.BasicBlock) bool {
		if seen[b] || by[b] {
			return false
		}
		seen[b] = true
		if _, ok := lastInstr(b).(*ssa.Return); ok {
			return true
		}
		return slices.ContainsFunc(b.Succs, around)
	}
	return around(from)
}

// sameCallee reports whether two calls may reach the same function.
func sameCallee(x, y *ssa.Call) bool {
	if x.Call.IsInvoke() != y.Call.IsInvoke() {
		return false
	}
	if x.Call.IsInvoke() {
		return x.Call.Method.Name() == y.Call.Method.Name()
	}
	return types.Identical(x.Call.Signature(), y.Call.Signature())
}

// borrowers are the functions of the package that a call at run time may reach.
func (a *analysis) borrowers(s *sites, l loan) []*ssa.Function {
	var list []*ssa.Function
	if l.call.Call.IsInvoke() {
		it, ok := l.call.Call.Value.Type().Underlying().(*types.Interface)
		if !ok {
			return nil
		}
		for _, t := range a.implementers(it) {
			if m := a.methodNamed(t, l.call.Call.Method); m != nil && len(m.Blocks) > 0 && m.Synthetic == "" {
				list = append(list, m)
			}
		}
		return list
	}
	sig := l.call.Call.Signature()
	for _, f := range a.fns {
		if f.Signature.Recv() == nil && types.Identical(f.Signature, sig) && a.usedAsValue(s, f) {
			list = append(list, f)
		}
	}
	return list
}

// leftRunning finds the goroutines of f that use p and that a path to a return does not wait for.
func (a *analysis) leftRunning(f *ssa.Function, p *ssa.Parameter) []*ssa.Go {
	names := variablesOf(p)
	var list []*ssa.Go
	for _, b := range f.Blocks {
		for n, i := range b.Instrs {
			g, ok := i.(*ssa.Go)
			if !ok || !usesLoan(g, names) || callsPipe(f) {
				continue
			}
			w := waiter{a: a, g: g, signs: map[ssa.Value]bool{}, seen: map[*ssa.BasicBlock]bool{}}
			for _, x := range boundTo(g) {
				if !names[x] && carriesSign(x.Type(), 0) {
					w.signs[x] = true
				}
			}
			if !w.deferred() && w.returns(b, n+1) {
				list = append(list, g)
			}
		}
	}
	return list
}

// variablesOf are a parameter and the variables that hold nothing else.
func variablesOf(p *ssa.Parameter) map[ssa.Value]bool {
	names := map[ssa.Value]bool{p: true}
	for _, r := range referrers(p) {
		st, ok := r.(*ssa.Store)
		if !ok || st.Val != ssa.Value(p) {
			continue
		}
		if al, ok := st.Addr.(*ssa.Alloc); ok && !slices.ContainsFunc(referrers(al), func(r ssa.Instruction) bool {
			o, ok := r.(*ssa.Store)
			return ok && o != st && o.Addr == ssa.Value(al)
		}) {
			names[al] = true
			for _, l := range loadsOf(al) {
				names[l] = true
			}
		}
	}
	return names
}

// boundTo are the values that a goroutine is started with.
func boundTo(g *ssa.Go) []ssa.Value {
	list := slices.Clone(g.Call.Args)
	if mc, ok := g.Call.Value.(*ssa.MakeClosure); ok {
		list = append(list, mc.Bindings...)
	} else if g.Call.StaticCallee() == nil {
		list = append(list, g.Call.Value)
	}
	return list
}

// usesLoan reports whether a goroutine works with one of the values.
func usesLoan(g *ssa.Go, names map[ssa.Value]bool) bool {
	body := startedBody(g)
	if body == nil {
		return slices.ContainsFunc(g.Call.Args, func(x ssa.Value) bool { return names[unboxed(x)] })
	}
	for k, x := range g.Call.Args {
		if names[unboxed(x)] && (k >= len(body.Params) || worksWith(body.Params[k], 0)) {
			return true
		}
	}
	if mc, ok := g.Call.Value.(*ssa.MakeClosure); ok {
		for k, x := range mc.Bindings {
			if names[unboxed(x)] && worksWith(body.FreeVars[k], 0) {
				return true
			}
		}
	}
	return false
}

// worksWith reports whether a function, or a literal in it, uses what it was given for more than a
// comparison.
func worksWith(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 4 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Return, *ssa.Store:
		case *ssa.UnOp:
			if _, cell := v.(*ssa.FreeVar); !cell || pointee(v.Type()) != nil || worksWith(r, depth+1) {
				return true
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for k, x := range r.Bindings {
				if x == v && worksWith(fn.FreeVars[k], depth+1) {
					return true
				}
			}
		default:
			return true
		}
	}
	return false
}

// callsPipe reports whether a function makes a pipe, at the end of which a goroutine may be
// waited for.
func callsPipe(f *ssa.Function) bool {
	for i := range instrsOf(f) {
		if c, ok := i.(ssa.CallInstruction); ok && c.Common().StaticCallee() != nil && c.Common().StaticCallee().Name() == "Pipe" {
			return true
		}
	}
	return false
}

// carriesSign reports whether a value of a type can tell the end of a goroutine.
func carriesSign(t types.Type, depth int) bool {
	if depth > 3 {
		return true
	}
	if path := namedPkg(t); path == "context" || path == "time" {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Pointer:
		return carriesSign(u.Elem(), depth+1)
	case *types.Struct:
		if namedPkg(t) == "sync" || namedPkg(t) == "sync/atomic" {
			return true
		}
		for f := range u.Fields() {
			if carriesSign(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// A waiter looks for a path on which a goroutine is not waited for.
type waiter struct {
	a     *analysis
	g     *ssa.Go
	signs map[ssa.Value]bool // what the goroutine may give a sign with
	seen  map[*ssa.BasicBlock]bool
}

// sign reports whether a value may tell the end of the goroutine.
func (w *waiter) sign(v ssa.Value) bool {
	for depth := 0; depth < 4 && v != nil; depth++ {
		if w.signs[v] {
			return true
		}
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return false
		}
	}
	return false
}

// deferred reports whether a deferred call may wait for the goroutine.
func (w *waiter) deferred() bool {
	for i := range instrsOf(w.g.Parent()) {
		if d, ok := i.(*ssa.Defer); ok && w.waitsIn(d) {
			return true
		}
	}
	return false
}

// returns reports whether a path from the n-th instruction of a block returns without waiting.
func (w *waiter) returns(b *ssa.BasicBlock, n int) bool {
	if n == 0 {
		if w.seen[b] {
			return false
		}
		w.seen[b] = true
	}
	for _, i := range b.Instrs[n:] {
		switch i := i.(type) {
		case *ssa.Return:
			return !slices.ContainsFunc(i.Results, w.sign)
		case *ssa.Panic:
			return false
		case *ssa.Select:
			next, waits := w.cases(i)
			if waits {
				return false
			}
			if next != nil {
				return slices.ContainsFunc(next, func(b *ssa.BasicBlock) bool { return w.returns(b, 0) })
			}
		case *ssa.UnOp:
			if i.Op == token.ARROW && !isClock(i.X) {
				return false
			}
		case *ssa.Store:
			if w.sign(i.Val) {
				return false
			}
		case *ssa.Send, *ssa.MapUpdate, *ssa.MakeInterface, *ssa.MakeClosure:
			for _, r := range i.Operands(nil) {
				if *r != nil && w.sign(*r) {
					return false
				}
			}
		case ssa.CallInstruction:
			if _, isDefer := i.(*ssa.Defer); !isDefer && w.waitsIn(i) {
				return false
			}
		}
	}
	return slices.ContainsFunc(b.Succs, func(b *ssa.BasicBlock) bool { return w.returns(b, 0) })
}

// cases are the blocks where a select goes on without a sign of the goroutine: those of clocks
// and contexts, and the default.
func (w *waiter) cases(i *ssa.Select) (next []*ssa.BasicBlock, waits bool) {
	idx := part(i, 0)
	if idx == nil {
		return nil, true
	}
	last := -1
	if !i.Blocking {
		last = len(i.States) - 1
	}
	for n, c := range i.States {
		clock := c.Dir == types.RecvOnly && isClock(c.Chan)
		if !clock && n != last {
			continue
		}
		for _, r := range referrers(idx) {
			cmp, ok := r.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL {
				continue
			}
			k, ok := cmp.Y.(*ssa.Const)
			if !ok || k.Int64() != int64(n) {
				continue
			}
			for _, u := range referrers(cmp) {
				if t, ok := u.(*ssa.If); ok {
					if clock {
						next = append(next, t.Block().Succs[0])
					}
					if n == last {
						next = append(next, t.Block().Succs[1])
					}
				}
			}
		}
	}
	return next, len(next) == 0
}

// waitsIn reports whether a call may wait for the goroutine, or leave it to others to do so.
func (w *waiter) waitsIn(c ssa.CallInstruction) bool {
	cc := c.Common()
	args := cc.Args
	if mc, ok := cc.Value.(*ssa.MakeClosure); ok {
		args = append(slices.Clone(args), mc.Bindings...)
		if w.a.waits(mc.Fn.(*ssa.Function), 0) {
			return true
		}
	} else if cc.IsInvoke() {
		args = append(slices.Clone(args), cc.Value)
	}
	if slices.ContainsFunc(args, w.sign) {
		return true
	}
	if _, builtin := cc.Value.(*ssa.Builtin); builtin {
		return false
	}
	if f := w.a.calledFunction(c); f != nil {
		return w.a.waits(f, 0)
	}
	m := calledMethod(c)
	if m == nil {
		// It could wait only for a sign that it has.
		return cc.StaticCallee() == nil && !neverWaits(c) && len(w.signs) == 0
	}
	if m.Pkg() != nil && m.Pkg().Path() == "time" && m.Name() == "Stop" {
		return false
	}
	switch m.Name() {
	case "Wait", "Join", "Stop", "Shutdown", "Sleep":
		return true
	}
	return false
}

// isClock reports whether a channel is a timer's or a context's.
func isClock(ch ssa.Value) bool {
	switch v := ch.(type) {
	case *ssa.Call:
		if m := calledMethod(v); m != nil && m.Pkg() != nil {
			return m.Pkg().Path() == "context" && m.Name() == "Done" || m.Pkg().Path() == "time" && (m.Name() == "After" || m.Name() == "Tick")
		}
	case *ssa.UnOp:
		if c, ok := v.Type().Underlying().(*types.Chan); ok && v.Op == token.MUL {
			return namedPkg(c.Elem()) == "time"
		}
	}
	return false
}
