// SPDX-License-Identifier: BSD-3-Clause

package suite_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/spare-go/spare/tools/internal/underrace"
	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/poolkeep"
	"github.com/spare-go/spare/tools/passes/poollife"
	"github.com/spare-go/spare/tools/passes/poolput"
)

// TestInvariance writes every case of the analyzers in another way that does the
// same, and asks for the same reports: neither names, nor statements that have
// nothing to do with a value, nor the way round of a condition, nor the form of a
// return may decide whether a mistake is found.
func TestInvariance(t *testing.T) {
	if testing.Short() || underrace.Enabled() {
		t.Skip("analyses every case twice, and shows nothing new under the race detector")
	}
	for _, a := range []*analysis.Analyzer{poollife.Analyzer, poolkeep.Analyzer, poolput.Analyzer} {
		testdata := filepath.Join("..", a.Name, "testdata")
		packages := cases.Folders(t, testdata)
		rewritten := t.TempDir()
		if err := os.CopyFS(rewritten, os.DirFS(testdata)); err != nil {
			t.Fatal(err)
		}
		absolute, err := filepath.Abs(testdata)
		if err != nil {
			t.Fatal(err)
		}
		before := analysistest.Run(cases.IgnoreWants{}, absolute, a, packages...)
		want := map[string][]string{}
		for _, r := range before {
			if r.Err != nil || r.Pass == nil {
				t.Fatalf("%s: %v", a.Name, r.Err)
			}
			path := r.Pass.Pkg.Path() // of a package and of its test
			want[path] = append(want[path], places(r)...)
		}
		written := map[*ast.File]bool{} // a package and its test share their files
		for _, r := range before {
			if err := rewrite(written, r.Pass, filepath.Join(rewritten, "src", r.Pass.Pkg.Path())); err != nil {
				t.Fatal(err)
			}
		}
		got := map[string][]string{}
		for _, r := range analysistest.Run(cases.IgnoreWants{}, rewritten, a, packages...) {
			path := r.Action.Package.PkgPath
			for _, err := range r.Action.Package.Errors {
				t.Errorf("%s: %s does not compile when rewritten: %v", a.Name, path, err)
			}
			if r.Err != nil || r.Pass == nil {
				t.Errorf("%s: %s: %v", a.Name, path, r.Err)
				continue
			}
			got[path] = append(got[path], places(r)...)
		}
		for path := range want {
			for _, p := range want[path] {
				if !slices.Contains(got[path], p) && !slices.Contains(formBound, path+" "+p) {
					t.Errorf("%s: %s: not reported when rewritten: %s", a.Name, path, p)
				}
			}
			for _, p := range got[path] {
				if !slices.Contains(want[path], p) {
					t.Errorf("%s: %s: reported only when rewritten: %s", a.Name, path, p)
				}
			}
		}
	}
}

// formBound are the reports that are known to depend on the form of the code: a Put is run on numbers, and
// with so many branches on something unknown on the way it is not known which of them leads to its panic.
var formBound = []string{"sizes wrong-pool x.go:179"}

// places lists the reports as pattern and line, each once.
func places(r *analysistest.Result) []string {
	var list []string
	for _, d := range r.Diagnostics {
		p := r.Pass.Fset.Position(d.Pos)
		list = append(list, fmt.Sprintf("%s %s:%d", d.Category, filepath.Base(p.Filename), p.Line))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// rewrite writes a package's files to dir in another form. Comments that name
// lines keep the positions of the original.
func rewrite(written map[*ast.File]bool, pass *analysis.Pass, dir string) error {
	for i, f := range pass.Files {
		name := pass.Fset.File(f.FileStart).Name()
		if written[f] || filepath.Base(filepath.Dir(name)) != filepath.Base(dir) { // the latter: the main function of a test
			continue
		}
		written[f] = true
		f.Comments = nil
		rename(pass, f)
		nameResults(f)
		invert(f)
		disturb(f)
		var buf bytes.Buffer
		if err := (&printer.Config{Mode: printer.SourcePos | printer.TabIndent, Tabwidth: 8}).Fprint(&buf, pass.Fset, f); err != nil {
			return err
		}
		// The cases are in the folder as they were: a line is named by the base name
		// of its file.
		text := strings.ReplaceAll(buf.String(), "//line "+name+":", "//line "+filepath.Base(name)+":")
		text += fmt.Sprintf("\nvar disturbing%d = len(disturbed%[1]d) > 3\nvar disturbed%[1]d = \"no\"\nvar disturbances%[1]d int\n\nfunc disturb%[1]d() { disturbances%[1]d++ }\n", i)
		text = strings.ReplaceAll(text, "disturbHere", fmt.Sprint("disturb", i))
		text = strings.ReplaceAll(text, "disturbingHere", fmt.Sprint("disturbing", i))
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// rename gives every variable, field and constant that no other package sees another
// name. What functions and types are called says what they are for, and stays.
func rename(pass *analysis.Pass, f *ast.File) {
	// A field is named by the type that it embeds: such types stay.
	stay := map[string]bool{"_": true, "main": true, "init": true}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					if len(field.Names) == 0 {
						ast.Inspect(field.Type, func(n ast.Node) bool {
							if id, ok := n.(*ast.Ident); ok {
								stay[id.Name] = true
							}
							return true
						})
					}
				}
			}
			return true
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || ast.IsExported(id.Name) || stay[id.Name] || id == f.Name {
			return true
		}
		o := pass.TypesInfo.ObjectOf(id)
		switch o := o.(type) {
		case nil: // the variable of a type switch, which has an object in each clause
			if _, known := pass.TypesInfo.Defs[id]; !known {
				return true
			}
		case *types.PkgName, *types.Label, *types.Func, *types.TypeName:
			return true
		default:
			if o.Pkg() != pass.Pkg {
				return true
			}
		}
		// One name for all objects of a name, so that interfaces keep their methods.
		id.Name = "q" + reversed(id.Name)
		return true
	})
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// nameResults names results and returns them by their names.
func nameResults(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Type.Results == nil || len(fn.Type.Results.List) == 0 || len(fn.Type.Results.List[0].Names) > 0 {
			continue
		}
		results := fn.Type.Results
		if !results.Opening.IsValid() {
			results.Opening, results.Closing = results.Pos(), results.End()
		}
		var names []string
		for i, r := range results.List {
			names = append(names, fmt.Sprint("result", i))
			r.Names = []*ast.Ident{{Name: names[i], NamePos: r.Type.Pos()}}
		}
		closures := 0
		astutil.Apply(fn.Body, func(c *astutil.Cursor) bool {
			if _, ok := c.Node().(*ast.FuncLit); ok {
				closures++
			}
			return true
		}, func(c *astutil.Cursor) bool {
			switch n := c.Node().(type) {
			case *ast.FuncLit:
				closures--
			case *ast.ReturnStmt:
				if closures == 0 && len(n.Results) > 0 && c.Index() >= 0 {
					var to []ast.Expr
					for _, name := range names {
						to = append(to, &ast.Ident{Name: name, NamePos: n.Pos()})
					}
					c.InsertBefore(&ast.AssignStmt{Lhs: to, TokPos: n.Pos(), Tok: token.ASSIGN, Rhs: n.Results})
					n.Results = nil
				}
			}
			return true
		})
	}
}

// invert turns every condition round, and changes its branches. A lone continue
// stays: turned round it is a Put under a test, which somebody decided.
func invert(f *ast.File) {
	astutil.Apply(f, nil, func(c *astutil.Cursor) bool {
		s, ok := c.Node().(*ast.IfStmt)
		if !ok {
			return true
		}
		if b, ok := last(s.Body).(*ast.BranchStmt); ok && len(s.Body.List) == 1 && b.Tok == token.CONTINUE {
			return true
		}
		other, ok := s.Else.(*ast.BlockStmt)
		switch {
		case ok:
		case s.Else != nil:
			other = &ast.BlockStmt{Lbrace: s.Else.Pos(), List: []ast.Stmt{s.Else}, Rbrace: s.Else.End()}
		default:
			other = &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Lbrace}
		}
		s.Cond = &ast.UnaryExpr{OpPos: s.Cond.Pos(), Op: token.NOT, X: &ast.ParenExpr{Lparen: s.Cond.Pos(), X: s.Cond, Rparen: s.Cond.End()}}
		s.Body, s.Else = other, s.Body
		return true
	})
}

func last(b *ast.BlockStmt) ast.Stmt {
	if len(b.List) == 0 {
		return nil
	}
	return b.List[len(b.List)-1]
}

// disturb puts a call before every statement, and a branch before the second one
// of a function: one in every block would make more paths than the walk follows.
func disturb(f *ast.File) {
	astutil.Apply(f, nil, func(c *astutil.Cursor) bool {
		b, ok := c.Node().(*ast.BlockStmt)
		if !ok {
			return true
		}
		switch c.Parent().(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return true
		}
		var list []ast.Stmt
		_, outermost := c.Parent().(*ast.FuncDecl)
		for i, s := range b.List {
			var more ast.Stmt = &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.Ident{Name: "disturbHere", NamePos: s.Pos()}, Lparen: s.Pos(), Rparen: s.Pos()}}
			if i == 1 && outermost {
				more = &ast.IfStmt{If: s.Pos(), Cond: &ast.Ident{Name: "disturbingHere", NamePos: s.Pos()}, Body: &ast.BlockStmt{Lbrace: s.Pos(), List: []ast.Stmt{more}, Rbrace: s.Pos()}}
			}
			list = append(list, more, s)
		}
		b.List = list
		return true
	})
}
