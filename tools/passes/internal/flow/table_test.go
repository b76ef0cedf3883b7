// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTableNames looks up each function that the table says is spare's in
// spare's sources, which lie beside this module in the repository.
func TestTableNames(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.work")); err != nil {
		t.Skip("not in the repository:", err)
	}
	declared := map[string]map[string]bool{} // by folder
	names := func(dir string) map[string]bool {
		if declared[dir] != nil {
			return declared[dir]
		}
		list := map[string]bool{}
		declared[dir] = list
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no Go files: %v", dir, err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				name := fn.Name.Name
				if fn.Recv != nil {
					recv := fn.Recv.List[0].Type
					if star, ok := recv.(*ast.StarExpr); ok {
						recv = star.X
					}
					if generic, ok := recv.(*ast.IndexExpr); ok {
						recv = generic.X
					}
					if id, ok := recv.(*ast.Ident); ok {
						name = id.Name + "." + name
					}
				}
				list[name] = true
			}
		}
		return list
	}
	n := 0
	for key, pf := range poolFuncs {
		rest, ok := strings.CutPrefix(key, spare)
		if !ok {
			continue
		}
		n++
		dir, name := "", strings.TrimPrefix(rest, ".")
		if strings.HasPrefix(rest, "/") {
			dot := strings.Index(rest, ".")
			dir, name = rest[1:dot], rest[dot+1:]
		}
		if !names(dir)[name] {
			t.Errorf("%s: there is no such function", key)
		}
		if !pf.acquire && pf.release < 0 {
			t.Errorf("%s: neither gets nor puts", key)
		}
	}
	if n < 30 {
		t.Errorf("only %d functions of spare's in the table", n)
	}
}
