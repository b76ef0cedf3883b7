// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who puts a buffer when a call returns must know whether the call left it with somebody: a client
// that hands a request to the goroutine of its connection and waits for the answer, or for the end of a context,
// returns while the connection may still write it. Such a client has no pool, as a rule, and is in
// another package than the buffer's. The functions that may be like that are found by their source, and
// followed for what is held when they return.

// leavers are the functions of a package that may leave memory of a parameter with another goroutine: they start
// one or send on a channel with something that came from the parameter, give it to the transport of
// net/http, or pass it to a function that is one of them.
func leavers(pass *goanalysis.Pass) map[*types.Func]bool {
	if pass.ExportObjectFact == nil || isStdPath(pass.Pkg.Path()) || pass.Pkg.Name() == "main" || strings.HasSuffix(pass.Pkg.Name(), "_test") {
		return nil // nobody calls it
	}
	found := map[*types.Func]bool{}
	callers := map[*types.Func][]*types.Func{} // within the package
	byName := map[string][]*types.Func{}       // methods, which interfaces may have
	var decls []*ast.FuncDecl
	for _, file := range pass.Files {
		if Generated(pass.Fset, file) {
			continue
		}
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				decls = append(decls, fd)
				if f, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok && fd.Recv != nil {
					byName[f.Name()] = append(byName[f.Name()], f)
				}
			}
		}
	}
	for _, fd := range decls {
		f, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func)
		if !ok {
			continue
		}
		l := leaverScan{info: pass.TypesInfo, from: map[types.Object]bool{}}
		for v := range f.Signature().Params().Variables() {
			if v.Name() != "" && v.Name() != "_" && mayBePooled(v.Type()) && !isTest(v.Type()) {
				l.from[v] = true
			}
		}
		if len(l.from) == 0 {
			continue
		}
		l.given = func(g *types.Func) {
			switch {
			case g.Signature().Recv() != nil && types.IsInterface(g.Signature().Recv().Type()):
				for _, m := range byName[g.Name()] {
					callers[m] = append(callers[m], f)
				}
			case g.Pkg() == pass.Pkg:
				callers[g.Origin()] = append(callers[g.Origin()], f)
			case g.Pkg().Path() == "net/http":
				found[f] = found[f] || g.Name() == "Do" || g.Name() == "RoundTrip"
			case isStdPath(g.Pkg().Path()):
			default:
				s := new(Summary)
				found[f] = found[f] || importSummary(pass, g.Origin(), s) && (len(s.Left) > 0 || slices.ContainsFunc(s.Outcomes, func(o Outcome) bool { return len(o.Held) > 0 }))
			}
		}
		if l.scan(fd.Body) {
			found[f] = true
		}
	}
	var up func(f *types.Func)
	up = func(f *types.Func) {
		for _, c := range callers[f] {
			if !found[c] {
				found[c] = true
				up(c)
			}
		}
	}
	for _, fd := range decls {
		if f, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok && found[f] {
			up(f)
		}
	}
	for f, leaves := range found {
		if leaves && callable(f) {
			return found
		}
	}
	return nil
}

// callable reports whether other packages can name a function, or a method and its type.
func callable(f *types.Func) bool {
	r := f.Signature().Recv()
	if r == nil {
		return f.Exported()
	}
	n := recvName(r.Type())
	return f.Exported() && n != nil && n.Exported()
}

// isTest reports whether a parameter is a test, which no pool has.
func isTest(t types.Type) bool {
	n := recvName(t)
	return n != nil && n.Pkg() != nil && n.Pkg().Path() == "testing"
}

// A leaverScan reads one function. It errs on the side of too much: the walk has the last word.
type leaverScan struct {
	info  *types.Info
	from  map[types.Object]bool // variables that may lead to memory of a parameter
	given func(*types.Func)     // is told of each function that is given such
}

// leads reports whether something that leads to a parameter's memory is named in n.
func (l *leaverScan) leads(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.from[l.info.Uses[id]] {
			found = true
		}
		return !found
	})
	return found
}

// scan reports whether the body starts a goroutine with what leads to a parameter's memory, or sends it.
func (l *leaverScan) scan(body *ast.BlockStmt) bool {
	left := false
	set := func(lhs ast.Expr, rhs ast.Node) {
		for {
			switch x := ast.Unparen(lhs).(type) {
			case *ast.SelectorExpr:
				lhs = x.X
				continue
			case *ast.IndexExpr:
				lhs = x.X
				continue
			case *ast.Ident:
				if v := l.info.ObjectOf(x); v != nil && hasPointers(v.Type()) && !isError(v.Type()) && l.leads(rhs) {
					l.from[v] = true
				}
			}
			return
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for k, x := range n.Lhs {
				set(x, n.Rhs[min(k, len(n.Rhs)-1)])
			}
		case *ast.ValueSpec:
			for k, x := range n.Names {
				if len(n.Values) > 0 {
					set(x, n.Values[min(k, len(n.Values)-1)])
				}
			}
		case *ast.RangeStmt:
			if n.Value != nil {
				set(n.Value, n.X)
			}
		case *ast.SendStmt:
			left = left || hasPointers(l.info.TypeOf(n.Value)) && l.leads(n.Value)
		case *ast.GoStmt:
			left = left || l.leads(n.Call)
		case *ast.CallExpr:
			if g := calledFunc(l.info, n); g != nil && g.Pkg() != nil && slices.ContainsFunc(n.Args, func(x ast.Expr) bool { return l.leads(x) }) {
				l.given(g)
			}
		}
		return true
	})
	return left
}

// calledFunc is the function or method that a call names.
func calledFunc(info *types.Info, c *ast.CallExpr) *types.Func {
	x := ast.Unparen(c.Fun)
	switch i := x.(type) {
	case *ast.IndexExpr:
		x = i.X
	case *ast.IndexListExpr:
		x = i.X
	}
	switch x := x.(type) {
	case *ast.Ident:
		f, _ := info.Uses[x].(*types.Func)
		return f
	case *ast.SelectorExpr:
		f, _ := info.Uses[x.Sel].(*types.Func)
		return f
	}
	return nil
}

// followLeavers follows the exported functions that may leave a parameter's memory with another
// goroutine, and are no roots for another reason.
func (a *analysis) followLeavers() {
	if len(a.leavers) == 0 {
		return
	}
	a.leaving = true
	defer func() { a.leaving = false }()
	for _, fn := range a.fns {
		if f, ok := fn.Object().(*types.Func); ok && callable(f) && a.leavers[f] && !a.isRoot(fn) && len(fn.Blocks) > 0 && !synthetic(fn) {
			a.follow(fn)
		}
	}
}

// leavesHere reports whether a function is one that may leave something, while those are followed.
func (a *analysis) leavesHere(fn *ssa.Function) bool {
	if !a.leaving {
		return false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	f, ok := fn.Object().(*types.Func)
	return ok && a.leavers[f]
}

// A Left is a parameter whose memory another goroutine may use when the function has returned.
type Left struct {
	Param   int
	Failing bool `json:",omitempty"` // where it does not return a nil error only
}

// noteLeaving notes what the exits of a function leave with goroutines. What its receiver has is its type's affair.
func (a *analysis) noteLeaving(fn *ssa.Function, exits []exit) {
	held := map[int]bool{} // by parameter: also where the function succeeded
	for _, e := range exits {
		n := len(e.results) - 1
		fails := n >= 0 && isError(fn.Signature.Results().At(n).Type())
		if fails {
			isNil, known := a.known(e.st, a.syms.nilTest(e.results[n]))
			fails = !known || !isNil
		}
		for _, g := range e.st.gos {
			for k, p := range fn.Params {
				if k == 0 && fn.Signature.Recv() != nil {
					continue
				}
				x := a.syms.intern(symKey{kind: kParam, obj: p}, p.Type())
				if mayBePooled(p.Type()) && a.leadsTo(e.st, g.holds, x) && a.stillHeld(e.st, g, x) {
					held[k] = held[k] || !fails
				}
			}
		}
	}
	f := fn.Object().(*types.Func)
	for _, k := range slices.Sorted(maps.Keys(held)) {
		a.leavings[f] = append(a.leavings[f], Left{Param: k, Failing: !held[k]})
	}
}

// stillHeld reports whether a goroutine may still use x when the function that started it returns: nothing
// that the function set keeps it off.
func (a *analysis) stillHeld(st *state, g *spawn, x *sym) bool {
	if g.sink != "" {
		return true
	}
	targets := []*sym{x}
	return !(a.guarded(st, g) && !a.usesUnlocked(st, g, targets)) && !a.leavesAlone(st, g, targets) && !a.toldEnded(st, g)
}

// leavesSomething reports whether a function of another package leaves something with a goroutine, or in a container.
func (a *analysis) leavesSomething(f *types.Func) bool {
	s := a.summaryOf(f)
	return s != nil && len(s.Left)+len(s.Stored) > 0
}

// isAtStake reports whether x leads to something that may be in a pool, or a caller's.
func (a *analysis) isAtStake(st *state, x *sym) bool {
	found := false
	a.reach(st, x, func(y *sym) bool {
		found = found || tracked(y) || a.leaving && y.kind == kParam
		return !found
	})
	return found
}

// farCallee is the function of another package that a call leaves something with, or that keeps something, or nil: the
// callee, or the method of the one type in view that an interface has.
func (a *analysis) farCallee(st *state, target callee, args []*sym, c *ssa.CallCommon) *types.Func {
	f := target.method
	if f == nil {
		return nil
	}
	if c.IsInvoke() && target.fn == nil {
		if !slices.ContainsFunc(args[1:], func(x *sym) bool { return hasPointers0(x) && a.isAtStake(st, x) }) {
			return nil
		}
		only := a.behindField(c.Value)
		if only == nil {
			return nil
		}
		m := a.methodNamed(only, c.Method)
		if m == nil {
			return nil
		}
		f, _ = m.Object().(*types.Func)
	}
	if f == nil || !a.leavesSomething(f) {
		return nil
	}
	return f
}

// behindField is the one type that the package gives to the field which an interface value was read from.
func (a *analysis) behindField(v ssa.Value) types.Type {
	of := nthFieldOf(v)
	if of == nil {
		return nil
	}
	if a.inField == nil {
		a.inField = map[*types.Var]types.Type{}
		for _, fn := range a.fns {
			eachStore(fn, func(i *ssa.Store) {
				f := nthFieldOf(i.Addr)
				if f == nil || !types.IsInterface(f.Type()) || isNilConst(i.Val) {
					return
				}
				var t types.Type
				if mi, ok := i.Val.(*ssa.MakeInterface); ok {
					t = mi.X.Type()
				}
				if old, known := a.inField[f]; known && (t == nil || old == nil || !types.Identical(t, old)) {
					t = nil
				}
				a.inField[f] = t
			})
		}
	}
	return a.inField[of]
}

// leaveRunning adds to the outcomes of a call what the function, of another package, leaves with a goroutine.
func (a *analysis) leaveRunning(outs []outcome, i ssa.CallInstruction, f *types.Func, args []*sym) []outcome {
	for _, l := range a.summaryOf(f).Left {
		if l.Param >= len(args) {
			continue
		}
		x := args[l.Param]
		for k := range outs {
			st := outs[k].st
			if !a.isAtStake(st, x) {
				continue
			}
			var results []*sym
			switch r := outs[k].result; f.Signature().Results().Len() {
			case 0:
			case 1:
				results = []*sym{r}
			default:
				results = r.list
			}
			if l.Failing && len(results) > 0 {
				isNil := a.syms.nilTest(results[len(results)-1])
				v, known := a.known(st, isNil)
				if known && v {
					continue
				}
				if !known {
					well := outcome{st.clone(), outs[k].result}
					a.assume(well.st, isNil, true)
					outs = append(outs, well)
					a.assume(st, isNil, false)
				}
			}
			g := &spawn{event: st.here(i), holds: []*sym{x}, from: results, callee: f.Name(), failing: l.Failing}
			st.gos = append(slices.Clip(st.gos), g)
		}
	}
	return outs
}

// askedOf reports whether a path asked the result of the call that left a value with a goroutine: a flag may tell
// that it is done with it. Of errors the walk knows.
func (a *analysis) askedOf(st *state, g *spawn) bool {
	if g.callee == "" || g.failing {
		return false
	}
	for c := range st.truth {
		if c.mentions(func(x *sym) bool { return slices.Contains(g.from, x) }) {
			return true
		}
	}
	return false
}
