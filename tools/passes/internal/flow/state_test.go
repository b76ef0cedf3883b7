// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestStateMaps looks for writes to the maps of a state that newState leaves nil. They go through set,
// or the first path that comes to one ends the analysis with a panic.
func TestStateMaps(t *testing.T) {
	lazy := map[string]bool{}
	for st, i := reflect.ValueOf(*newState()), 0; i < st.NumField(); i++ {
		if f := st.Field(i); f.Kind() == reflect.Map && f.IsNil() {
			lazy[st.Type().Field(i).Name] = true
		}
	}
	if len(lazy) == 0 {
		t.Fatal("newState leaves no map nil")
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		written := func(e ast.Expr) {
			x, ok := e.(*ast.IndexExpr)
			if !ok {
				return
			}
			sel, ok := x.X.(*ast.SelectorExpr)
			if !ok || !lazy[sel.Sel.Name] {
				return
			}
			if of, ok := sel.X.(*ast.SelectorExpr); ok && of.Sel.Name != "st" {
				return // another struct's
			}
			t.Errorf("%s: %s is nil in a new state: write to it with set", fset.Position(e.Pos()), sel.Sel.Name)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					written(e)
				}
			case *ast.IncDecStmt:
				written(n.X)
			}
			return true
		})
	}
}
