// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// A function of a package without pools that is more than a setter may keep what it is given all the same: in
// a field of its receiver that the argument's type chooses, in a list, in a map, or with a goroutine. Who
// gives it a pooled value is not blamed for losing it.

// keptParams are the parameters whose memory a function may have left where it is found after the
// call: those that its body, or a function in it, stores, sends or gives to a goroutine. What only its results
// lead to is its caller's.
func keptParams(info *types.Info, fd *ast.FuncDecl, params map[types.Object]int) []int {
	of := map[types.Object]int{} // variables that have a parameter's memory
	for v, n := range params {
		if v.Name() != "" && v.Name() != "_" && mayBePooled(v.Type()) {
			of[v] = n
		}
	}
	if len(of) == 0 {
		return nil
	}
	named := func(x ast.Expr) (int, bool) {
		for {
			switch y := ast.Unparen(x).(type) {
			case *ast.TypeAssertExpr:
				x = y.X
				continue
			case *ast.SliceExpr:
				x = y.X
				continue
			case *ast.Ident:
				n, ok := of[info.ObjectOf(y)]
				return n, ok
			}
			return 0, false
		}
	}
	kept := map[int]bool{}
	var keep func(x ast.Expr)
	keep = func(x ast.Expr) {
		if n, ok := named(x); ok {
			kept[n] = true
		}
		x = ast.Unparen(x)
		if u, ok := x.(*ast.UnaryExpr); ok {
			x = u.X
		}
		if l, ok := x.(*ast.CompositeLit); ok {
			for _, e := range l.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				keep(e)
			}
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSwitchStmt:
			var x ast.Expr
			switch s := n.Assign.(type) {
			case *ast.AssignStmt:
				x = s.Rhs[0]
			case *ast.ExprStmt:
				x = s.X
			}
			if k, ok := named(x); ok {
				for _, c := range n.Body.List {
					if v := info.Implicits[c]; v != nil {
						of[v] = k
					}
				}
			}
		case *ast.AssignStmt:
			for k, rhs := range n.Rhs {
				l := n.Lhs[min(k, len(n.Lhs)-1)]
				if id, ok := l.(*ast.Ident); ok && !isPackageLevel(info.ObjectOf(id)) {
					if p, ok := named(rhs); ok && info.ObjectOf(id) != nil {
						of[info.ObjectOf(id)] = p
					}
					continue
				}
				keep(rhs)
			}
		case *ast.SendStmt:
			keep(n.Value)
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && n.Ellipsis == token.NoPos {
				if b, ok := info.Uses[id].(*types.Builtin); ok && b.Name() == "append" {
					for _, x := range n.Args[1:] {
						keep(x)
					}
				}
			}
		case *ast.GoStmt:
			for _, x := range n.Call.Args {
				keep(x)
			}
			ast.Inspect(n.Call.Fun, func(m ast.Node) bool {
				if x, ok := m.(ast.Expr); ok {
					keep(x)
				}
				return true
			})
		}
		return true
	})
	return slices.Sorted(maps.Keys(kept))
}

func isPackageLevel(v types.Object) bool {
	return v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// mayBePooled reports whether a parameter's type is one of those that pools hand out: memory, a pointer to a
// struct, or an interface but for those that have nothing to do with memory.
func mayBePooled(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Pointer:
		return true
	case *types.Interface:
		switch t.String() {
		case "error", "context.Context":
			return false
		}
		return u.IsMethodSet()
	}
	return false
}
