// SPDX-License-Identifier: BSD-3-Clause

package poolcopy

import (
	"go/ast"
	"go/types"
)

// given reports a new value that holds a pool and is given to a generic function of the
// package which copies its parameter in a loop: no copy stands in the code that names the type.
func (c *checker) given(call *ast.CallExpr) {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	id, ok := fun.(*ast.Ident)
	if !ok {
		return
	}
	fn, ok := c.pass.TypesInfo.Uses[id].(*types.Func)
	if !ok || fn.Pkg() != c.pass.Pkg || fn.Signature().TypeParams().Len() == 0 {
		return
	}
	for k, x := range call.Args {
		if k >= fn.Signature().Params().Len() {
			return
		}
		if _, literal := ast.Unparen(x).(*ast.CompositeLit); !literal {
			continue // copied where it is passed
		}
		p := fn.Signature().Params().At(k)
		if _, isParam := types.Unalias(p.Type()).(*types.TypeParam); isParam && c.copied(p) {
			c.value(x.Pos(), c.pass.TypesInfo.TypeOf(x), "", "copied by "+fn.Name())
		}
	}
}

// copied reports whether a parameter is assigned, stored or passed on by value in a loop.
func (c *checker) copied(p *types.Var) bool {
	found := false
	for _, f := range c.pass.Files {
		if p.Pos() < f.FileStart || f.FileEnd <= p.Pos() {
			continue
		}
		isParam := func(x ast.Expr) bool {
			id, ok := ast.Unparen(x).(*ast.Ident)
			return ok && c.pass.TypesInfo.Uses[id] == types.Object(p)
		}
		var loop ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				if loop == nil || n.Pos() >= loop.End() {
					loop = n
				}
				return true
			}
			if loop == nil || n == nil || n.Pos() >= loop.End() {
				return !found
			}
			var list []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				list = n.Rhs
			case *ast.CallExpr:
				list = n.Args
			case *ast.CompositeLit:
				list = n.Elts
			case *ast.SendStmt:
				list = []ast.Expr{n.Value}
			case *ast.KeyValueExpr:
				list = []ast.Expr{n.Value}
			}
			for _, x := range list {
				found = found || isParam(x)
			}
			return !found
		})
	}
	return found
}
