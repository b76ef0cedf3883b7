// SPDX-License-Identifier: BSD-3-Clause

package codectest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each hazard of the README names tests, and each of them is there.
func TestHazards(t *testing.T) {
	tests := make(map[string]bool)
	files, err := filepath.Glob("../../*/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				tests[filepath.Base(filepath.Dir(name))+"."+fn.Name.Name] = true
			}
		}
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(readme), "| hazard | seen in | tests |\n|---|---|---|\n")
	if !ok {
		t.Fatal("README.md has no table of hazards")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	named := regexp.MustCompile("`(\\w+\\.(?:Test|Fuzz)\\w+)`")
	rows := strings.Split(strings.TrimSpace(table), "\n")
	if len(rows) < 20 {
		t.Errorf("only %d hazards", len(rows))
	}
	for _, row := range rows {
		names := named.FindAllStringSubmatch(row, -1)
		if len(names) == 0 {
			t.Errorf("no test covers this: %s", row)
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("there is no test %s", name[1])
			}
		}
	}
}
