// SPDX-License-Identifier: BSD-3-Clause

package stackalias

import (
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/spare-go/spare/tools/passes/internal/report"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// Analyzer reports pointers into a slice that the compiler moves from under them.
var Analyzer = &analysis.Analyzer{
	Name:     "stackalias",
	Doc:      pattern.Doc("report the shape of compiler bug golang/go#81612, for the toolchains that have it", pattern.StackAlias),
	URL:      "https://pkg.go.dev/github.com/spare-go/spare/tools/passes/stackalias",
	Requires: []*analysis.Analyzer{inspect.Analyzer, report.FilterAnalyzer},
	Run:      run,
}

// toolchain is what builds the code under test. A driver that knows better sets
// the flag, as spare vet does; what built the driver itself is a guess.
var toolchain = runtime.Version()

func init() {
	Analyzer.Flags.StringVar(&toolchain, "toolchain", toolchain, "`version` of the Go toolchain that builds the packages, as go env GOVERSION prints it")
}

// lastBroken is the newest patch release of Go 1.26 known to have the bug.
const lastBroken = 8

// affected reports whether a toolchain has the bug. What a development version
// has nobody can tell from its name.
func affected(version string) bool {
	rest, ok := strings.CutPrefix(version, "go1.26")
	if !ok || strings.Contains(version, "devel") {
		return false
	}
	rest, _, _ = strings.Cut(rest, " ") // go1.26.8 X:nodwarf5
	rest, _, _ = strings.Cut(rest, "-") // go1.26.8-vendor
	patch, ok := strings.CutPrefix(rest, ".")
	if !ok {
		return rest == "" || strings.HasPrefix(rest, "rc") || strings.HasPrefix(rest, "beta")
	}
	n, err := strconv.Atoi(patch)
	return err == nil && n <= lastBroken
}

// maxElem is the size of the buffer on the stack: larger elements never use it.
const maxElem = 32

func run(pass *analysis.Pass) (any, error) {
	if !affected(toolchain) {
		return nil, nil
	}
	var out []analysis.Diagnostic
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	in.Preorder([]ast.Node{(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)}, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				out = append(out, check(pass, n.Body)...)
			}
		case *ast.FuncLit:
			out = append(out, check(pass, n.Body)...)
		}
	})
	report.Diagnostics(pass, out)
	return nil, nil
}

// A local is what a function does with one slice variable.
type local struct {
	appended bool
	moved    token.Pos // where it is returned or stored
	sized    bool      // it does not start empty
	taken    []ast.Expr
}

func check(pass *analysis.Pass, body *ast.BlockStmt) []analysis.Diagnostic {
	vars := map[types.Object]*local{}
	var order []types.Object
	get := func(x ast.Expr) *local {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return nil
		}
		obj, ok := pass.TypesInfo.ObjectOf(id).(*types.Var)
		if !ok || obj.Pos() < body.Pos() || obj.Pos() >= body.End() {
			return nil
		}
		s, ok := obj.Type().Underlying().(*types.Slice)
		if !ok || generic(s.Elem(), 0) || pass.TypesSizes.Sizeof(s.Elem()) > maxElem || pass.TypesSizes.Sizeof(s.Elem()) == 0 {
			return nil
		}
		if vars[obj] == nil {
			vars[obj] = &local{}
			order = append(order, obj)
		}
		return vars[obj]
	}
	assign := func(l, r ast.Expr) {
		if v := get(l); v != nil {
			switch e := ast.Unparen(r).(type) {
			case *ast.CallExpr:
				if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "append" && len(e.Args) > 0 {
					if get(e.Args[0]) == v {
						v.appended = true
						return
					}
					if isEmpty(pass, e.Args[0]) {
						v.appended = true
						return
					}
				}
				v.sized = true
			case *ast.CompositeLit:
				if len(e.Elts) > 0 {
					v.sized = true
				}
			default:
				if !isEmpty(pass, r) {
					v.sized = true
				}
			}
			return
		}
		if v := get(r); v != nil {
			v.moved = r.Pos()
		}
	}
	inReturn := 0
	var walk func(n ast.Node) bool
	walk = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					assign(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, v := range n.Values {
				if i < len(n.Names) {
					assign(n.Names[i], v)
				}
			}
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				if v := get(r); v != nil {
					v.moved = r.Pos()
				}
			}
			inReturn++
			for _, r := range n.Results {
				ast.Inspect(r, walk)
			}
			inReturn--
			return false
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				if v := get(e); v != nil {
					v.moved = e.Pos()
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && inReturn == 0 {
				if x := elementField(n.X); x != nil {
					if v := get(x); v != nil {
						v.taken = append(v.taken, n)
					}
				}
			}
		case *ast.SliceExpr:
			if inReturn == 0 {
				if _, isArray := pass.TypesInfo.TypeOf(n.X).Underlying().(*types.Array); isArray {
					if x := elementField(n.X); x != nil {
						if v := get(x); v != nil {
							v.taken = append(v.taken, n)
						}
					}
				}
			}
		}
		return true
	}
	ast.Inspect(body, walk)
	var out []analysis.Diagnostic
	for _, obj := range order {
		v := vars[obj]
		if !v.appended || v.sized || !v.moved.IsValid() {
			continue
		}
		for _, x := range v.taken {
			out = append(out, analysis.Diagnostic{
				Pos: x.Pos(), End: x.End(), Category: pattern.StackAlias,
				Message: types.ExprString(x) + " may point to a dead stack frame: " + obj.Name() +
					" is built by append and moved to the heap later (golang/go#81612); make it with its capacity, or take &" + obj.Name() + "[i] first",
				Related: []analysis.RelatedInformation{{Pos: v.moved, Message: "moved to the heap here"}},
			})
		}
	}
	return out
}

// elementField returns s of s[i].f; nil for anything else. A bare &s[i] is not
// affected.
func elementField(x ast.Expr) ast.Expr {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	for {
		switch y := ast.Unparen(sel.X).(type) {
		case *ast.SelectorExpr:
			sel = y
		case *ast.IndexExpr:
			return y.X
		default:
			return nil
		}
	}
}

// isEmpty reports whether an expression is a slice without elements or capacity.
func isEmpty(pass *analysis.Pass, x ast.Expr) bool {
	switch e := ast.Unparen(x).(type) {
	case *ast.Ident:
		return pass.TypesInfo.Types[e].IsNil()
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		tv := pass.TypesInfo.Types[e.Fun]
		return tv.IsType() && len(e.Args) == 1 && pass.TypesInfo.Types[e.Args[0]].IsNil()
	}
	return false
}

// generic reports whether the size of a type depends on a type parameter.
func generic(t types.Type, depth int) bool {
	if depth > 8 {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Array:
		return generic(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if generic(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Named:
		return generic(t.Underlying(), depth+1)
	}
	return false
}
