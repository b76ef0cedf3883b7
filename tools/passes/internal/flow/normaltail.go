// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// tailCall is the call of a private function with which a function ends, and that function.
func (z *normalizer) tailCall(fd *ast.FuncDecl) (*ast.CallExpr, *types.Func) {
	n := len(fd.Body.List)
	if n < 2 || fd.Name.Name == "init" || fd.Name.Name == "main" {
		return nil, nil
	}
	var e ast.Expr
	switch s := fd.Body.List[n-1].(type) {
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			e = s.Results[0]
		}
	case *ast.ExprStmt:
		e = s.X
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || call.Ellipsis.IsValid() {
		return nil, nil
	}
	var to *types.Func
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		to, _ = z.info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		to, _ = z.info.Uses[fun.Sel].(*types.Func)
		sel := z.info.Selections[fun]
		if to == nil || sel == nil || sel.Kind() != types.MethodVal || len(sel.Index()) != 1 || to.Signature().Recv() == nil || !types.Identical(sel.Recv(), to.Signature().Recv().Type()) {
			return nil, nil
		}
	}
	from, _ := z.info.Defs[fd.Name].(*types.Func)
	if to == nil || from == nil || to == from || to.Pkg() != z.pkg || to.Exported() || to.Origin() != to {
		return nil, nil
	}
	x, y := from.Signature(), to.Signature()
	if x.TypeParams().Len()+y.TypeParams().Len()+x.RecvTypeParams().Len()+y.RecvTypeParams().Len() > 0 || y.Variadic() {
		return nil, nil
	}
	same := x.Results().Len() == y.Results().Len()
	for k := range y.Results().Len() {
		same = same && types.Identical(x.Results().At(k).Type(), y.Results().At(k).Type()) && y.Results().At(k).Name() == ""
	}
	if !same {
		return nil, nil
	}
	return call, to
}

// continued is a function with the body of the one that it ends with a call of.
func (z *normalizer) continued(fd, inner *ast.FuncDecl) *ast.FuncDecl {
	call, to := z.tailCall(fd)
	args := call.Args
	var fields []*ast.Field
	if inner.Recv != nil {
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		args = append([]ast.Expr{fun.X}, args...)
		fields = append(fields, inner.Recv.List...)
	}
	fields = append(fields, inner.Type.Params.List...)
	last := fd.Body.List[len(fd.Body.List)-1]
	list := slices.Clone(fd.Body.List[:len(fd.Body.List)-1])
	k := 0
	for _, f := range fields {
		if len(f.Names) == 0 {
			return nil
		}
		for _, id := range f.Names {
			if k >= len(args) || id.Name == "_" {
				return nil
			}
			list = append(list, &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: last.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{args[k]}})
			k++
		}
	}
	if k != len(args) || to.Signature().Params().Len() != len(call.Args) {
		return nil
	}
	outer := *fd
	outer.Body = &ast.BlockStmt{Lbrace: fd.Body.Lbrace, Rbrace: fd.Body.Rbrace, List: append(list, inner.Body.List...)}
	return &outer
}

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
