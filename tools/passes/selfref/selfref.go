// SPDX-License-Identifier: BSD-3-Clause

package selfref

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/spare-go/spare/tools/passes/internal/report"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// Analyzer reports an array field that is sliced into a sibling field.
var Analyzer = &analysis.Analyzer{
	Name:     "selfref",
	Doc:      pattern.Doc("report structs whose slice field is a slice of their own array field", pattern.BootstrapSelfRef),
	URL:      "https://pkg.go.dev/github.com/spare-go/spare/tools/passes/selfref",
	Requires: []*analysis.Analyzer{inspect.Analyzer, report.FilterAnalyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	var out []analysis.Diagnostic
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	makers := poolMakers(pass, in)
	for cur := range in.Root().Preorder((*ast.AssignStmt)(nil)) {
		as := cur.Node().(*ast.AssignStmt)
		if as.Tok != token.ASSIGN || len(as.Lhs) != len(as.Rhs) {
			continue
		}
		for i, l := range as.Lhs {
			dst, ok := ast.Unparen(l).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			sl, ok := ast.Unparen(as.Rhs[i]).(*ast.SliceExpr)
			if !ok {
				continue
			}
			src, ok := ast.Unparen(sl.X).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			if _, isArray := pass.TypesInfo.TypeOf(src).Underlying().(*types.Array); !isArray {
				continue
			}
			pooled := within(cur, makers)
			if !pooled && !bootstraps(cur, dst) {
				continue
			}
			if locked(pass, dst.X) || !field(pass, dst) || !field(pass, src) || owner(pass, dst) == "" || owner(pass, dst) != owner(pass, src) {
				continue
			}
			why := ": the struct escapes to the heap, and a copy of it still points into the original"
			if pooled {
				why = " for a pool: once the slice outgrows it, the array is dead weight in the pool, and a copy of the struct still points into the original"
			}
			out = append(out, analysis.Diagnostic{
				Pos: as.Pos(), End: as.End(), Category: pattern.BootstrapSelfRef,
				Message: "field " + dst.Sel.Name + " is made a slice of its own struct's array " + src.Sel.Name + why,
				Related: []analysis.RelatedInformation{{Pos: pass.TypesInfo.Uses[src.Sel].Pos(), Message: "the array field"}},
			})
		}
	}
	report.Diagnostics(pass, out)
	return nil, nil
}

// bootstraps reports whether an assignment to x.f is under a test of x.f: the
// struct is used without a constructor, so that it might have stayed on the
// stack. A constructor that slices an array of what it just made on the heap
// does no harm.
func bootstraps(cur inspector.Cursor, dst *ast.SelectorExpr) bool {
	name := types.ExprString(dst)
	asks := func(x ast.Expr) (found bool) {
		if x == nil {
			return false
		}
		ast.Inspect(x, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok && types.ExprString(x) == name {
				found = true
			}
			return !found
		})
		return found
	}
	for c := range cur.Enclosing((*ast.IfStmt)(nil), (*ast.SwitchStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.IfStmt:
			if asks(n.Cond) {
				return true
			}
		case *ast.SwitchStmt:
			if asks(n.Tag) {
				return true
			}
			// The cases are asked in turn, up to the one that the assignment is in; a default after all others.
			for _, s := range n.Body.List {
				cc := s.(*ast.CaseClause)
				if slices.ContainsFunc(cc.List, asks) {
					return true
				}
				if cc.List != nil && cc.Pos() <= dst.Pos() && dst.End() <= cc.End() {
					break
				}
			}
		}
	}
	return false
}

func field(pass *analysis.Pass, s *ast.SelectorExpr) bool {
	v, ok := pass.TypesInfo.Uses[s.Sel].(*types.Var)
	return ok && v.IsField()
}

// owner names the variable whose memory a selector is in, through structs within it but
// through no pointer.
func owner(pass *analysis.Pass, s *ast.SelectorExpr) string {
	x := ast.Unparen(s.X)
	for {
		in, ok := x.(*ast.SelectorExpr)
		if !ok || !field(pass, in) {
			return types.ExprString(x)
		}
		if _, isPtr := pass.TypesInfo.TypeOf(in).Underlying().(*types.Pointer); isPtr {
			return types.ExprString(x)
		}
		x = ast.Unparen(in.X)
	}
}

// within reports whether a place is in the body of one of the functions.
func within(cur inspector.Cursor, fns map[ast.Node]bool) bool {
	for c := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if fns[c.Node()] {
			return true
		}
	}
	return false
}

// maxDepth bounds the calls that are followed from the function that makes a
// pool's values.
const maxDepth = 3

// poolMakers finds the functions that make the values of pools, and those of the
// package that they call.
func poolMakers(pass *analysis.Pass, in *inspector.Inspector) map[ast.Node]bool {
	found := map[ast.Node]bool{}
	decls := map[types.Object]*ast.FuncDecl{}
	for cur := range in.Root().Preorder((*ast.FuncDecl)(nil)) {
		d := cur.Node().(*ast.FuncDecl)
		decls[pass.TypesInfo.Defs[d.Name]] = d
	}
	var follow func(fn ast.Node, depth int)
	callee := func(x ast.Expr) ast.Node {
		switch x := ast.Unparen(x).(type) {
		case *ast.FuncLit:
			return x
		case *ast.Ident:
			if d := decls[pass.TypesInfo.Uses[x]]; d != nil {
				return d
			}
		case *ast.SelectorExpr:
			if d := decls[pass.TypesInfo.Uses[x.Sel]]; d != nil {
				return d
			}
		}
		return nil
	}
	follow = func(fn ast.Node, depth int) {
		if fn == nil || found[fn] || depth > maxDepth {
			return
		}
		found[fn] = true
		ast.Inspect(fn, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				follow(callee(call.Fun), depth+1)
			}
			return true
		})
	}
	for cur := range in.Root().Preorder((*ast.CompositeLit)(nil), (*ast.AssignStmt)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.CompositeLit:
			if !isPool(pass.TypesInfo.TypeOf(n)) {
				continue
			}
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					if k, ok := kv.Key.(*ast.Ident); ok && k.Name == "New" {
						follow(callee(kv.Value), 0)
					}
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				continue
			}
			for i, l := range n.Lhs {
				if s, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && s.Sel.Name == "New" && isPool(pass.TypesInfo.TypeOf(s.X)) {
					follow(callee(n.Rhs[i]), 0)
				}
			}
		}
	}
	return found
}

// isPool reports whether a type is a pool with a field New.
func isPool(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Name() != "Pool" || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() {
	case "sync", "github.com/spare-go/spare":
		return true
	}
	return false
}

// locked reports whether the struct at x, or one that x is a field of, has a lock.
func locked(pass *analysis.Pass, x ast.Expr) bool {
	for {
		if hasLock(pass.TypesInfo.TypeOf(x), 0) {
			return true
		}
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x = sel.X
	}
}

// hasLock reports whether a struct, or what t points to, has a lock by value.
func hasLock(t types.Type, depth int) bool {
	if t == nil || depth > 4 {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok && depth == 0 {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
		return n.Obj().Name() == "Mutex" || n.Obj().Name() == "RWMutex"
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if _, ok := f.Type().Underlying().(*types.Struct); ok && hasLock(f.Type(), depth+1) {
			return true
		}
	}
	return false
}
