// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
)

// findMethodValues finds the local variables that name a function, and are only called.
func (z *normalizer) findMethodValues(fd *ast.FuncDecl) {
	named := map[types.Object]ast.Expr{}
	decl := map[types.Object]ast.Stmt{}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok || z.info.Defs[id] == nil {
			return true
		}
		sel, ok := ast.Unparen(a.Rhs[0]).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if s := z.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal && len(s.Index()) == 1 {
			named[z.info.Defs[id]], decl[z.info.Defs[id]] = sel, a
		}
		return true
	})
	if len(named) == 0 {
		return
	}
	changed := z.changedIn(fd)
	called := map[*ast.Ident]bool{}
	for o, e := range named {
		x := e.(*ast.SelectorExpr).X
		_, byPointer := z.info.Uses[e.(*ast.SelectorExpr).Sel].(*types.Func).Signature().Recv().Type().Underlying().(*types.Pointer)
		t := z.info.TypeOf(x)
		steady := isPtr(t) == byPointer && z.constantValue(x, changed) || !isPtr(t) && !types.IsInterface(t) && byPointer && z.constantPlace(x, changed)
		if changed[o] || !steady {
			delete(named, o)
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok {
				called[id] = true
			}
		case *ast.Ident:
			if o := z.info.Uses[n]; o != nil && named[o] != nil && !called[n] {
				delete(named, o)
			}
		}
		return true
	})
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !called[id] {
			return true
		}
		if e := named[z.info.Uses[id]]; e != nil {
			z.replace[id] = func() ast.Node { return z.rewrite(e) }
			s := decl[z.info.Uses[id]]
			z.replace[s] = func() ast.Node { return &ast.EmptyStmt{Semicolon: s.Pos()} }
		}
		return true
	})
}
