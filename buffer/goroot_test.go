// SPDX-License-Identifier: BSD-3-Clause

package buffer_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spare-go/spare/internal/checked"
)

// TestGoroot runs the toolchain's own tests of bytes.Buffer on buffer.Buffer.
// They are read from GOROOT, rewritten in a temporary module, and not kept.
func TestGoroot(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs another test binary")
	}
	if v := runtime.Version(); !strings.HasPrefix(v, "go1.26") {
		t.Skipf("the rewriting was made for Go 1.26, not %s", v)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	src := filepath.Join(strings.TrimSpace(string(out)), "src", "bytes", "buffer_test.go")
	suite, tests, err := rewriteSuite(src)
	if err != nil {
		t.Fatal(err)
	}

	dir := t.TempDir()
	files := map[string][]byte{
		"zz_goroot_buffer_test.go": suite,
		"go.mod": fmt.Appendf(nil, "module suite\n\ngo 1.26.0\n\nrequire github.com/spare-go/spare v0.0.0\n\nreplace github.com/spare-go/spare => %q\n",
			filepath.ToSlash(root)),
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"test", "-count=1", "-v"}
	if checked.Enabled {
		args = append(args, "-tags=spare_checked")
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
	log, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go test: %v\n%s", err, log)
	}
	var passed []string
	for _, m := range regexp.MustCompile(`(?m)^--- PASS: (\w+)`).FindAllSubmatch(log, -1) {
		passed = append(passed, string(m[1]))
	}
	slices.Sort(passed)
	slices.Sort(tests)
	if !slices.Equal(passed, tests) {
		t.Errorf("passed: %v\nwant: %v\n%s", passed, tests, log)
	}
	t.Logf("%d of %d tests of %s pass", len(passed), len(tests), src)
}

// rewriteSuite has the tests import package buffer where they import package
// bytes with a dot, and returns them with their names.
func rewriteSuite(file string) (suite []byte, tests []string, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	f.Name.Name = "suite_test"
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && g.Tok == token.IMPORT
	})
	// The functions of package bytes that are no part of Buffer. The file does
	// not run without optimization here.
	ofBytes := map[string]bool{"Repeat": true, "Equal": true}
	used := map[string]bool{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if strings.HasPrefix(fn.Name.Name, "Test") {
			tests = append(tests, fn.Name.Name)
		}
		fn.Body.List = slices.DeleteFunc(fn.Body.List, func(s ast.Stmt) bool {
			e, ok := s.(*ast.ExprStmt)
			if !ok {
				return false
			}
			call, ok := e.X.(*ast.CallExpr)
			return ok && isSelector(call.Fun, "testenv", "SkipIfOptimizationOff")
		})
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && ofBytes[id.Name] {
					used[id.Name] = true
					id.Name = "bytes." + id.Name
				}
			}
			return true
		})
	}
	if len(used) != len(ofBytes) {
		return nil, nil, fmt.Errorf("%s: uses %v of package bytes, want %v", file, used, ofBytes)
	}
	var body bytes.Buffer
	if err := format.Node(&body, fset, f); err != nil {
		return nil, nil, err
	}
	// The package clause is the first line that is no comment.
	clause := []byte("package suite_test\n")
	imports := slices.Concat(clause, []byte("\nimport (\n\t\"bytes\"\n\t\"fmt\"\n\t\"io\"\n\t\"math/rand\"\n\t\"strconv\"\n\t\"testing\"\n\t\"unicode/utf8\"\n\n\t. \"github.com/spare-go/spare/buffer\"\n)\n"))
	return bytes.Replace(body.Bytes(), clause, imports, 1), tests, nil
}

func isSelector(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == pkg
}
