// SPDX-License-Identifier: BSD-3-Clause

package allocsite

import (
	"go/ast"
	"go/types"
)

// pools are types with a method Get that gives what was put back, by their names.
var pools = map[string]bool{
	"sync.Pool":                              true,
	"github.com/spare-go/spare.Pool":         true,
	"github.com/spare-go/spare.Slices":       true,
	"github.com/valyala/bytebufferpool.Pool": true,
}

// poolName is a type of pools as people write it.
func poolName(typ string) string { return QualifiedName(typ) }

// pooled returns the type of the pool that a call takes its result from: one of
// pools with its Get, or by a function of the program that returns what Get gave. It
// returns "" for other calls.
func (p *Program) pooled(f *file, call *ast.CallExpr, depth int) string {
	fn := callee(f, call)
	if fn == nil || depth > 3 {
		return ""
	}
	if fn.Signature().Recv() != nil {
		if typ := receiverOf(fn); pools[typ] && fn.Name() == "Get" {
			return typ
		}
	}
	at := p.Fset.Position(fn.Pos())
	g := p.byPath[at.Filename]
	if g == nil {
		return ""
	}
	decl := p.enclosing(g, at.Line)
	if decl == nil || decl.Body == nil || decl.Name.Name != fn.Name() {
		return ""
	}
	typ := ""
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 && typ == "" {
				typ = p.pooledValue(g, n.Results[0], depth+1)
			}
		}
		return typ == ""
	})
	return typ
}

// pooledValue is pooled for any expression.
func (p *Program) pooledValue(f *file, x ast.Expr, depth int) string {
	if depth > 6 {
		return ""
	}
	switch y := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		return p.pooled(f, y, depth)
	case *ast.TypeAssertExpr:
		return p.pooledValue(f, y.X, depth+1)
	case *ast.StarExpr:
		return p.pooledValue(f, y.X, depth+1)
	case *ast.SliceExpr:
		return p.pooledValue(f, y.X, depth+1)
	case *ast.Ident:
		for _, rhs := range f.given(f.pkg.TypesInfo.ObjectOf(y)) {
			if typ := p.pooledValue(f, rhs, depth+1); typ != "" {
				return typ
			}
		}
	}
	return ""
}

// callee returns the function or method that a call names, or nil.
func callee(f *file, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	fn, _ := f.pkg.TypesInfo.ObjectOf(id).(*types.Func)
	return fn
}

// receiverOf returns the qualified type of a method's receiver, without type
// arguments.
func receiverOf(fn *types.Func) string {
	t := fn.Origin().Signature().Recv().Type()
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}
