// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A slice may be cleared by a function of another package before it is put. That shows in the function's
// source, and is a fact of it.

// clearedParams are the slices among the parameters whose elements a function clears.
func clearedParams(info *types.Info, fd *ast.FuncDecl, params map[types.Object]int) (list []int) {
	vars := map[types.Object]int{} // pointers to elements
	var of func(x ast.Expr, elem bool) (int, bool)
	of = func(x ast.Expr, elem bool) (int, bool) {
		switch x := ast.Unparen(x).(type) {
		case *ast.Ident:
			obj := info.Uses[x]
			if k, ok := vars[obj]; ok && elem {
				return k, true
			}
			k, ok := params[obj]
			return k, ok && !elem && obj != nil && isSlice(obj.Type())
		case *ast.IndexExpr:
			if elem {
				return of(x.X, false)
			}
		case *ast.SelectorExpr:
			if elem {
				return of(x.X, true)
			}
		case *ast.StarExpr:
			if elem {
				return of(x.X, true)
			}
		}
		return 0, false
	}
	found := func(k int, ok bool) {
		if ok && !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "clear" && info.Types[n.Fun].IsBuiltin() {
				found(of(n.Args[0], false))
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			for k, l := range n.Lhs {
				if u, ok := ast.Unparen(n.Rhs[k]).(*ast.UnaryExpr); ok && u.Op == token.AND {
					if id, ok := l.(*ast.Ident); ok && info.ObjectOf(id) != nil {
						if of, ok := of(u.X, true); ok {
							vars[info.ObjectOf(id)] = of
						}
					}
				}
				if t := info.TypeOf(l); n.Tok == token.ASSIGN && t != nil && empty(info, n.Rhs[k]) && leadsOut(t) {
					if _, isVar := ast.Unparen(l).(*ast.Ident); !isVar {
						found(of(l, true))
					}
				}
			}
		}
		return true
	})
	slices.Sort(list)
	return list
}

// empty reports whether an expression is a zero value.
func empty(info *types.Info, x ast.Expr) bool {
	x = ast.Unparen(x)
	if lit, ok := x.(*ast.CompositeLit); ok {
		return len(lit.Elts) == 0
	}
	tv := info.Types[x]
	return tv.IsNil() || tv.Value != nil && tv.Value.Kind() == constant.String && constant.StringVal(tv.Value) == ""
}

// clearedElsewhere reports whether a call gives a slice of such elements to a function of another package that
// clears it.
func (a *analysis) clearedElsewhere(c *ssa.Call, elem types.Type) bool {
	f := calledMethod(c)
	if f == nil || c.Call.IsInvoke() {
		return false
	}
	s := a.summaryOf(f)
	return s != nil && slices.ContainsFunc(s.Clears, func(k int) bool {
		return k < len(c.Call.Args) && sameElem(c.Call.Args[k].Type(), elem)
	})
}
