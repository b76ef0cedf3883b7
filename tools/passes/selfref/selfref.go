// SPDX-License-Identifier: BSD-3-Clause

// Package selfref reports structs that keep a slice of their own array field.
// Such a struct points into itself: it cannot stay on the stack once a
// pointer method appends to the slice, and a copy shares the array of the original.
// Only structs that do so on first use are reported, not those whose
// constructor does, and not structs with a lock: those live on the heap and are
// never copied, for reasons of their own.
package selfref

import (
	"go/ast"
	"go/token"
	"go/types"

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
			if !bootstraps(cur, dst) {
				continue
			}
			if locked(pass, dst.X) || !field(pass, dst) || !field(pass, src) || types.ExprString(dst.X) != types.ExprString(src.X) {
				continue
			}
			out = append(out, analysis.Diagnostic{
				Pos: as.Pos(), End: as.End(), Category: pattern.BootstrapSelfRef,
				Message: "field " + dst.Sel.Name + " is made a slice of its own struct's array " + src.Sel.Name +
					": the struct escapes to the heap, and a copy of it still points into the original",
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
	for c := range cur.Enclosing((*ast.IfStmt)(nil)) {
		found := false
		ast.Inspect(c.Node().(*ast.IfStmt).Cond, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok && types.ExprString(x) == name {
				found = true
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

func field(pass *analysis.Pass, s *ast.SelectorExpr) bool {
	v, ok := pass.TypesInfo.Uses[s.Sel].(*types.Var)
	return ok && v.IsField()
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
