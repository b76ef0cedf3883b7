// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who gives a buffer to a function that gives it back, or a larger one, puts what came back last. A deferred
// Put whose argument is the variable gives back the first one, and each larger one is lost.

// judgeGrownBack reports deferred Puts of a slice that is given to such a function later.
func (a *analysis) judgeGrownBack() {
	var through map[*ssa.Function][]int
	for c := range a.productCalls() {
		d, ok := c.(*ssa.Defer)
		if !ok || d.Call.IsInvoke() {
			continue
		}
		if through == nil {
			through = a.storers()
		}
		direct := a.putValues(d, through)
		for n, x := range d.Call.Args {
			bound := wholeOf(unboxed(x))
			if !isSlice(bound.Type()) || madeBySize(bound) || !slices.Contains(direct, n) && !a.putsPartOf(d, n, 0) {
				continue
			}
			v := a.variableAt(d, n)
			if v == nil {
				continue
			}
			call, grows := a.givenBackGrown(d, bound, v)
			if call == nil || a.putElsewhere(d, v, through) {
				continue
			}
			var fixes []goanalysis.SuggestedFix
			if !a.givesNone(call, v) {
				fixes = a.bindLate(d)
			}
			a.reportFound(finding{
				pattern: staleHeader, pos: instrPos(d), fn: d.Parent(),
				message: fmt.Sprintf("the deferred call puts %s as it is here, but it is set later to what %s gives back for it (%s), which is another one where it had to grow (%s): that one is lost", v.Name(), calledName(call), a.line(instrPos(call)), a.line(instrPos(grows))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(call), Message: "set anew here"}, {Pos: instrPos(grows), Message: "grows here"}},
				fixes:   fixes,
			})
		}
	}
}

// givesNone reports whether a call may give nil for a slice, as far as its callees are in view.
func (a *analysis) givesNone(c *ssa.Call, v *types.Var) bool {
	if c.Call.IsInvoke() {
		return true
	}
	k := a.resultSetTo(c, v)
	return slices.ContainsFunc(a.mayBeCalled(c), func(fn *ssa.Function) bool {
		return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
			r, ok := lastInstr(b).(*ssa.Return)
			return ok && (k < 0 || k >= len(r.Results) || isNilConst(r.Results[k]))
		})
	})
}

// wholeOf is the slice that a value was cut from at its start.
func wholeOf(v ssa.Value) ssa.Value {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok || s.Low != nil || !isSlice(s.X.Type()) {
			return v
		}
		v = s.X
	}
}

// variableAt is the local variable that a deferred call takes its n-th argument from.
func (a *analysis) variableAt(d *ssa.Defer, n int) *types.Var {
	call := a.calls[d.Pos()]
	if call == nil {
		return nil
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && a.pass.TypesInfo.Selections[sel] != nil {
		args = append([]ast.Expr{sel.X}, args...)
	}
	if n >= len(args) {
		return nil
	}
	x := ast.Unparen(args[n])
	if s, ok := x.(*ast.SliceExpr); ok && s.Low == nil {
		x = ast.Unparen(s.X)
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := a.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == a.pkg.Pkg.Scope() {
		return nil
	}
	return v
}

// madeBySize reports whether a slice comes from a function that was told a size that was worked out: it
// need not grow.
func madeBySize(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	return ok && slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool {
		_, isConst := x.(*ssa.Const)
		return !isConst && isInteger(x.Type())
	})
}

// givenBackGrown is a call after a defer that is given the slice that the defer bound, and gives back what the
// variable is set to then, with the place where it makes that one grow.
func (a *analysis) givenBackGrown(d *ssa.Defer, bound ssa.Value, v *types.Var) (*ssa.Call, ssa.Instruction) {
	for i := range instrsOf(d.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || !precedes(d, c) && !reaches(d.Block(), c.Block()) {
			continue
		}
		for n, x := range c.Call.Args {
			if !isSlice(x.Type()) || !cameFrom(x, bound, 0) {
				continue
			}
			k := a.resultSetTo(c, v)
			if k < 0 {
				continue
			}
			for _, fn := range a.mayBeCalled(c) {
				n := n
				if c.Call.IsInvoke() {
					n++
				}
				if at := a.growsParam(fn, n, k, 0); at != nil {
					return c, at
				}
			}
		}
	}
	return nil, nil
}

// cameFrom reports whether a value may be another one, or was cut from it at its start, or both were read from one variable.
func cameFrom(x, v ssa.Value, depth int) bool {
	x = wholeOf(x)
	if x == v {
		return true
	}
	switch x := x.(type) {
	case *ssa.Phi:
		return depth < 4 && slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return cameFrom(e, v, depth+1) })
	case *ssa.UnOp:
		l, ok := v.(*ssa.UnOp)
		if !ok || x.Op != token.MUL || l.Op != token.MUL {
			return false
		}
		_, isLocal := x.X.(*ssa.Alloc)
		return isLocal && x.X == l.X
	}
	return false
}

// resultSetTo is the number of the result of a call that a variable is set to, be it by way of another variable, or -1.
func (a *analysis) resultSetTo(c *ssa.Call, v *types.Var) int {
	call := a.calls[c.Pos()]
	if call == nil {
		return -1
	}
	info := a.pass.TypesInfo
	at := -1
	var by types.Object
	look := func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || at >= 0 {
			return at < 0
		}
		for k, l := range as.Lhs {
			id, ok := ast.Unparen(l).(*ast.Ident)
			if !ok {
				continue
			}
			obj := info.ObjectOf(id)
			switch {
			case obj == nil:
			case len(as.Rhs) == 1 && ast.Unparen(as.Rhs[0]) == ast.Expr(call) && obj == types.Object(v):
				at = k
			case by != nil && obj == types.Object(v) && len(as.Lhs) == len(as.Rhs):
				if r, ok := ast.Unparen(as.Rhs[k]).(*ast.Ident); ok && info.Uses[r] == by {
					at = 0
				}
			}
		}
		return at < 0
	}
	var body ast.Node
	for _, f := range a.pass.Files {
		if f.FileStart <= c.Pos() && c.Pos() < f.FileEnd {
			body = f
		}
	}
	if s := c.Parent().Syntax(); s != nil {
		body = s
	}
	if body == nil {
		return -1
	}
	ast.Inspect(body, look)
	if at >= 0 {
		return at
	}
	// By way of another variable.
	var results []*ast.Ident
	ast.Inspect(body, func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok && len(as.Rhs) == 1 && ast.Unparen(as.Rhs[0]) == ast.Expr(call) {
			for _, l := range as.Lhs {
				id, _ := ast.Unparen(l).(*ast.Ident)
				results = append(results, id)
			}
		}
		return results == nil
	})
	for k, id := range results {
		if id == nil || info.ObjectOf(id) == nil || !types.Identical(info.ObjectOf(id).Type(), v.Type()) {
			continue
		}
		by = info.ObjectOf(id)
		if ast.Inspect(body, look); at >= 0 {
			return k
		}
	}
	return -1
}

// mayBeCalled are the functions of the package that a call may be of: through an interface, the methods of its types.
func (a *analysis) mayBeCalled(c *ssa.Call) []*ssa.Function {
	if !c.Call.IsInvoke() {
		if fn := a.calledFunction(c); fn != nil && a.inPackage(fn) && len(fn.Blocks) > 0 {
			return []*ssa.Function{fn}
		}
		return nil
	}
	iface, ok := c.Call.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var list []*ssa.Function
	for _, fn := range a.fns {
		if recv := fn.Signature.Recv(); recv != nil && fn.Name() == c.Call.Method.Name() && fn.Parent() == nil && len(fn.Blocks) > 0 && !a.inTest(fn) && types.Implements(recv.Type(), iface) {
			list = append(list, fn)
		}
	}
	return list
}

// growsParam is the place where a function makes another slice of its n-th parameter, if that had no
// room, for its k-th result.
func (a *analysis) growsParam(fn *ssa.Function, n, k, depth int) ssa.Instruction {
	if depth > 2 || n >= len(fn.Params) || !isSlice(fn.Params[n].Type()) {
		return nil
	}
	g := grownParam{a: a, p: fn.Params[n], depth: depth, seen: map[ssa.Value]bool{}}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && k < len(r.Results) {
			g.follow(r.Results[k])
		}
	}
	switch {
	case g.appended != nil:
		return g.appended
	case g.made != nil && g.itself && asksRoom(fn, g.p):
		return g.made
	}
	return nil
}

// A grownParam is what a result is made of.
type grownParam struct {
	a              *analysis
	p              *ssa.Parameter
	depth          int
	seen           map[ssa.Value]bool
	within         []ssa.Value // the calls whose arguments are looked at
	itself         bool        // the parameter
	appended, made ssa.Instruction
}

func (g *grownParam) follow(v ssa.Value) {
	if g.seen[v] {
		return
	}
	g.seen[v] = true
	switch x := v.(type) {
	case *ssa.Parameter:
		g.itself = g.itself || x == g.p
	case *ssa.Phi:
		for _, e := range x.Edges {
			g.follow(e)
		}
	case *ssa.Slice:
		if x.Low == nil || isZeroNumber(x.Low) {
			g.follow(x.X)
		}
	case *ssa.MakeSlice:
		g.made = x
	case *ssa.UnOp:
		if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			for _, r := range referrers(al) {
				if s, ok := r.(*ssa.Store); ok && s.Addr == al {
					g.follow(s.Val)
				}
			}
		}
	case *ssa.Extract:
		if c, ok := x.Tuple.(*ssa.Call); ok {
			g.call(c, x.Index)
		}
	case *ssa.Call:
		g.call(x, 0)
	}
}

// call follows a result of a call that is given the parameter.
func (g *grownParam) call(c *ssa.Call, k int) {
	for n, x := range c.Call.Args {
		if !isSlice(x.Type()) {
			continue
		}
		of := grownParam{a: g.a, p: g.p, depth: g.depth, seen: map[ssa.Value]bool{}, within: append(slices.Clip(g.within), c)}
		for _, v := range of.within {
			of.seen[v] = true // in a loop each of several appends has to do with the others' results
		}
		if of.follow(x); !of.itself && of.appended == nil {
			continue
		}
		if b, ok := c.Call.Value.(*ssa.Builtin); ok {
			if n == 0 && b.Name() == "append" {
				g.appended = c
			}
			continue
		}
		if f := calledMethod(c); f != nil && n == 0 && f.Pkg() != nil && isStdPath(f.Pkg().Path()) && (strings.HasPrefix(f.Name(), "Append") || funcKey(f) == "slices.Grow") {
			g.appended = c
			continue
		}
		if fn := g.a.calledFunction(c); fn != nil && g.a.inPackage(fn) {
			if at := g.a.growsParam(fn, n, k, g.depth+1); at != nil {
				g.appended = at
			}
		}
	}
}

// asksRoom reports whether a function asks a parameter for its capacity or length.
func asksRoom(fn *ssa.Function, p *ssa.Parameter) bool {
	for i := range instrsOf(fn) {
		o, ok := i.(*ssa.BinOp)
		if !ok {
			continue
		}
		for _, v := range []ssa.Value{o.X, o.Y} {
			c, ok := v.(*ssa.Call)
			if !ok {
				continue
			}
			if b, ok := c.Call.Value.(*ssa.Builtin); ok && (b.Name() == "cap" || b.Name() == "len") && cameFrom(c.Call.Args[0], p, 0) {
				return true
			}
		}
	}
	return false
}

// putElsewhere reports whether another call of a function puts what a variable holds.
func (a *analysis) putElsewhere(d *ssa.Defer, v *types.Var, through map[*ssa.Function][]int) bool {
	top := d.Parent()
	for top.Parent() != nil {
		top = top.Parent()
	}
	for c := range a.productCalls() {
		fn := c.Parent()
		for fn.Parent() != nil {
			fn = fn.Parent()
		}
		if fn != top || c == ssa.CallInstruction(d) {
			continue
		}
		puts := len(a.putValues(c, through)) > 0
		for n, x := range c.Common().Args {
			puts = puts || isSlice(unboxed(x).Type()) && a.putsPartOf(c, n, 0)
		}
		if !puts {
			continue
		}
		call := a.calls[c.Pos()]
		if call == nil {
			return true
		}
		found := false
		for _, x := range call.Args {
			ast.Inspect(x, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && a.pass.TypesInfo.Uses[id] == types.Object(v)
				return !found
			})
		}
		if found {
			return true
		}
	}
	return false
}
