// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What the fixes that move, add and remove Puts ask of the source.

// A putStmt is a Put, or a call that does nothing else, written as a statement of
// its own: pool.Put(x), put(x) or x.Release(), where x is a variable of the function.
type putStmt struct {
	instr ssa.CallInstruction
	stmt  ast.Stmt // an ast.ExprStmt, or an ast.DeferStmt that names the call
	call  *ast.CallExpr
	x     *types.Var
	text  string
	path  []ast.Node // around stmt, innermost first; path[0] is stmt
	list  []ast.Stmt // the statements that stmt is one of
	at    int        // its place among them
}

// putAt is the statement behind the call number n on the way to a Put. Calls that
// may do more than to give a value back, such as a Close, are none.
func (a *analysis) putAt(e *event, n int) *putStmt {
	if n >= len(e.stack) {
		return nil
	}
	i, ok := e.stack[n].(ssa.CallInstruction)
	if !ok {
		return nil
	}
	if _, isGo := i.(*ssa.Go); isGo {
		return nil
	}
	call := a.calls[i.Pos()]
	if call == nil {
		return nil
	}
	p := a.putOf(call)
	if p == nil || n+1 < len(e.stack) && !onlyPuts(call) {
		return nil
	}
	p.instr = i
	return p
}

// putOf is the statement that a call is.
func (a *analysis) putOf(call *ast.CallExpr) *putStmt {
	_, path := a.enclosing(call.Lparen)
	for len(path) > 0 && path[0] != ast.Node(call) {
		path = path[1:]
	}
	if len(path) < 3 {
		return nil
	}
	p := &putStmt{call: call, x: a.putVariable(call), text: types.ExprString(call), path: path[1:]}
	switch st := path[1].(type) {
	case *ast.ExprStmt:
		p.stmt = st
	case *ast.DeferStmt:
		p.stmt = st
	default:
		return nil
	}
	p.list = statements(path[2])
	p.at = slices.Index(p.list, p.stmt)
	if p.x == nil || p.at < 0 {
		return nil
	}
	return p
}

// onlyPuts reports whether a function is named as one that gives its argument, or
// its receiver, back, and has nothing else to do, such as to flush or to end.
func onlyPuts(call *ast.CallExpr) bool {
	name := strings.ToLower(lastName(call.Fun))
	return slices.ContainsFunc([]string{"put", "release", "free", "recycle"}, func(verb string) bool { return strings.Contains(name, verb) })
}

func lastName(fun ast.Expr) string {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// putVariable is the variable that a call puts: its only argument, or else its receiver.
func (a *analysis) putVariable(call *ast.CallExpr) *types.Var {
	fun := ast.Unparen(call.Fun)
	switch len(call.Args) {
	case 0:
		if sel, ok := fun.(*ast.SelectorExpr); ok {
			return a.localVar(sel.X)
		}
	case 1:
		for {
			sel, ok := fun.(*ast.SelectorExpr)
			if !ok {
				break
			}
			fun = ast.Unparen(sel.X)
		}
		if _, ok := fun.(*ast.Ident); ok {
			return a.localVar(call.Args[0])
		}
	}
	return nil
}

// localVar is the variable of a function that an expression names, or nil.
func (a *analysis) localVar(x ast.Expr) *types.Var {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := a.pass.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Parent() == a.pkg.Pkg.Scope() {
		return nil
	}
	return v
}

// statements is the list of statements that a node is, or nil.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// bodyOf is the body of a function, or nil.
func bodyOf(fn *ssa.Function) *ast.BlockStmt {
	switch n := fn.Syntax().(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// mentions reports whether a variable is named within a node.
func (a *analysis) mentions(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && a.pass.TypesInfo.ObjectOf(id) == v {
			found = true
		}
		return !found
	})
	return found
}

// rooted reports whether an expression is a variable, or a part of what it holds.
func (a *analysis) rooted(x ast.Expr, v *types.Var) bool {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.Ident:
			return a.pass.TypesInfo.ObjectOf(y) == v
		case *ast.SelectorExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.SliceExpr:
			x = y.X
		default:
			return false
		}
	}
}

// steady reports whether a variable keeps, from where it was declared, what it was
// declared with, and nobody has its address. Growing a slice in place is allowed
// where grows says so.
func (a *analysis) steady(fn *ssa.Function, v *types.Var, grows bool) bool {
	body := bodyOf(fn)
	if body == nil {
		return false
	}
	if v.Pos() < fn.Syntax().Pos() {
		return false // of a function around this one
	}
	ok := true
	is := func(x ast.Expr) bool {
		id, isIdent := ast.Unparen(x).(*ast.Ident)
		return isIdent && a.pass.TypesInfo.ObjectOf(id) == v && id.Pos() != v.Pos()
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for k, x := range n.Lhs {
				if is(x) && !(grows && n.Tok == token.ASSIGN && len(n.Lhs) == len(n.Rhs) && a.sameSlice(n.Rhs[k], v)) {
					ok = false
				}
			}
		case *ast.IncDecStmt:
			ok = ok && !is(n.X)
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if x != nil && is(x) {
					ok = false
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// sameSlice reports whether an expression is the slice in a variable from its start,
// grown or shortened.
func (a *analysis) sameSlice(x ast.Expr, v *types.Var) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return a.pass.TypesInfo.ObjectOf(x) == v
	case *ast.SliceExpr:
		if x.Low != nil {
			if tv := a.pass.TypesInfo.Types[x.Low]; tv.Value == nil || tv.Value.ExactString() != "0" {
				return false
			}
		}
		return a.sameSlice(x.X, v)
	case *ast.CallExpr:
		id, ok := ast.Unparen(x.Fun).(*ast.Ident)
		if !ok || len(x.Args) == 0 {
			return false
		}
		b, ok := a.pass.TypesInfo.Uses[id].(*types.Builtin)
		return ok && b.Name() == "append" && a.sameSlice(x.Args[0], v)
	}
	return false
}

// steadyNames reports whether the variables that a node names are those of the
// package, or keep their value.
func (a *analysis) steadyNames(fn *ssa.Function, n ast.Node, grows *types.Var) bool {
	ok := true
	ast.Inspect(n, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent {
			if v := a.localVar(id); v != nil && !a.steady(fn, v, v == grows) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// sameNames reports whether every name within a node means the same at a position.
func (a *analysis) sameNames(n ast.Node, pos token.Pos) bool {
	inner := a.pkg.Pkg.Scope().Innermost(pos)
	if inner == nil {
		return false
	}
	ok := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ok = ok && a.sameNames(n.X, pos)
			return false
		case *ast.KeyValueExpr:
			ok = false // a key may be a field
		case *ast.Ident:
			if _, obj := inner.LookupParent(n.Name, pos); obj == nil || obj != a.pass.TypesInfo.ObjectOf(n) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// declared finds the statement x := GET, where GET is the call at a position, maybe
// with a type assertion, and the nodes around it.
func (a *analysis) declared(get token.Pos) (*types.Var, *ast.AssignStmt, []ast.Node) {
	_, path := a.enclosing(get)
	for n, node := range path {
		as, ok := node.(*ast.AssignStmt)
		if !ok {
			continue
		}
		if as.Tok != token.DEFINE || len(as.Lhs) != 1 || len(as.Rhs) != 1 || n+1 >= len(path) || statements(path[n+1]) == nil {
			return nil, nil, nil
		}
		x := ast.Unparen(as.Rhs[0])
		if ta, ok := x.(*ast.TypeAssertExpr); ok {
			x = ast.Unparen(ta.X)
		}
		if call, ok := x.(*ast.CallExpr); !ok || call.Lparen != get {
			return nil, nil, nil
		}
		if v := a.localVar(as.Lhs[0]); v != nil && v.Pos() == as.Lhs[0].Pos() {
			return v, as, path[n:]
		}
		return nil, nil, nil
	}
	return nil, nil, nil
}

// repeats reports whether a statement may run more than once in one call of its
// function: a loop or a label is around it.
func repeats(path []ast.Node) bool {
	for _, n := range path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			return true
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		}
	}
	return false
}

// removal is the edit that removes a statement, with its line where it has one of its
// own; false where that leaves an arm of an if or a case with nothing in it.
func (a *analysis) removal(p *putStmt) (goanalysis.TextEdit, bool) {
	if len(p.list) == 1 {
		return goanalysis.TextEdit{}, false
	}
	tf := a.fset.File(p.stmt.Pos())
	line := a.fileLine
	first, last := line(p.stmt.Pos()), line(p.stmt.End())
	if p.at > 0 && line(p.list[p.at-1].End()) == first || p.at+1 < len(p.list) && line(p.list[p.at+1].Pos()) == last || last >= tf.LineCount() {
		return goanalysis.TextEdit{}, false
	}
	outer := p.path[1]
	if b, ok := outer.(*ast.BlockStmt); ok && (line(b.Lbrace) == first || line(b.Rbrace) == last) {
		return goanalysis.TextEdit{}, false
	}
	if line(outer.Pos()) == first {
		return goanalysis.TextEdit{}, false
	}
	f, _ := a.enclosing(p.stmt.Pos())
	for _, c := range f.Comments {
		if line(c.Pos()) == last && line(c.End()) != last || line(c.Pos()) < first && line(c.End()) >= first {
			return goanalysis.TextEdit{}, false
		}
	}
	return goanalysis.TextEdit{Pos: tf.LineStart(first), End: tf.LineStart(last + 1)}, true
}

// indent is white space up to the column of a position in formatted source.
func (a *analysis) indent(pos token.Pos) string {
	return strings.Repeat("\t", max(a.fset.PositionFor(pos, false).Column-1, 0))
}

// fileLine is the line of a position in its file, whatever //line comments say.
func (a *analysis) fileLine(pos token.Pos) int { return a.fset.PositionFor(pos, false).Line }
