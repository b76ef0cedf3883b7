// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spare-go/spare/internal/race"
)

// The tests of this file hold the rules of the repository. They read every file
// of every module, from the root of the repository.

const modulePath = "github.com/spare-go/spare"

// modules returns the folders that go.work lists, "." first.
func modules(t *testing.T) []string {
	t.Helper()
	work, err := os.ReadFile("go.work")
	if err != nil {
		t.Skipf("not in the repository: %v", err)
	}
	var dirs []string
	for line := range strings.Lines(string(work)) {
		if line = strings.TrimSpace(line); line == "." || strings.HasPrefix(line, "./") {
			dirs = append(dirs, filepath.Clean(line))
		}
	}
	slices.Sort(dirs) // the root first
	if len(dirs) < 3 || dirs[0] != "." {
		t.Fatalf("go.work lists %q, want the root and others", dirs)
	}
	return dirs
}

// files calls f for each file below the repository's root.
func files(t *testing.T, f func(path string)) {
	t.Helper()
	modules(t)
	n := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != "." && (d.Name() == ".git" || d.IsDir() && strings.HasPrefix(d.Name(), "_")) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			n++
			f(filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil || n < 20 {
		t.Fatalf("%d files: %v", n, err)
	}
}

// A source is a parsed Go file.
type source struct {
	path string
	fset *token.FileSet
	ast  *ast.File
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) line(pos token.Pos) int { return s.fset.Position(pos).Line }

// in reports whether the file belongs to the given folder.
func (s source) in(dir string) bool { return strings.HasPrefix(s.path, dir+"/") }

// sources calls f for each Go file outside testdata.
func sources(t *testing.T, f func(source)) {
	t.Helper()
	files(t, func(path string) {
		if !strings.HasSuffix(path, ".go") || strings.Contains("/"+path, "/testdata/") || strings.Contains(path, "zz_goroot_") {
			return
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		f(source{path, fset, file})
	})
}

// imports returns the paths that a file imports.
func (s source) imports() (paths []string) {
	for _, i := range s.ast.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// inRoot reports whether a file belongs to the root module.
func inRoot(t *testing.T, s source) bool {
	return !slices.ContainsFunc(modules(t)[1:], func(dir string) bool { return s.in(filepath.ToSlash(dir)) })
}

func TestRootRequiresNothing(t *testing.T) {
	modules(t)
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`(?m)^\s*(require|replace|tool)\b`).Match(mod) {
		t.Errorf("the root's go.mod has more than its name and Go version:\n%s", mod)
	}
	if _, err := os.Stat("go.sum"); err == nil {
		t.Error("the root has a go.sum, and so a requirement")
	}
}

func TestRootImports(t *testing.T) {
	sources(t, func(s source) {
		if !inRoot(t, s) {
			return
		}
		for _, p := range s.imports() {
			if strings.Contains(strings.Split(p, "/")[0], ".") && p != modulePath && !strings.HasPrefix(p, modulePath+"/") {
				t.Errorf("%s imports %s", s.path, p)
			}
			if p == "net/http" && !s.test() && !s.in("debugpage") {
				t.Errorf("%s imports net/http, which only debugpage may", s.path)
			}
		}
	})
}

func TestToolsDoNotImportTheRoot(t *testing.T) {
	sources(t, func(s source) {
		if !s.in("tools") {
			return
		}
		for _, p := range s.imports() {
			if p == modulePath || strings.HasPrefix(p, modulePath+"/") && !strings.HasPrefix(p, modulePath+"/tools/") {
				t.Errorf("%s imports %s: the tools know pools by name", s.path, p)
			}
		}
	})
}

// unsafeFiles are the files, and folders, that may use package unsafe as they
// see fit. In any other file, a declaration that makes something of an
// unsafe.Pointer, by a conversion (*T)(x) or by unsafe's Add, Slice and String,
// must have a comment, above or inside it, that says "Sound:" and why. To make
// and to pass an unsafe.Pointer does no harm by itself.
var unsafeFiles = []string{"internal/magazine/", "internal/race/", "pool.go", "slices.go", "inline.go"}

func TestUnsafe(t *testing.T) {
	seen := false
	sources(t, func(s source) {
		if s.test() || !slices.Contains(s.imports(), "unsafe") {
			return
		}
		if slices.ContainsFunc(unsafeFiles, func(f string) bool { return s.path == f || strings.HasSuffix(f, "/") && strings.HasPrefix(s.path, f) }) {
			seen = true
			return
		}
		for _, d := range s.ast.Decls {
			first, last := d.Pos(), d.End()
			if g, ok := d.(*ast.GenDecl); ok {
				if g.Tok == token.IMPORT {
					continue
				}
				if g.Doc != nil {
					first = g.Doc.Pos()
				}
			} else if f := d.(*ast.FuncDecl); f.Doc != nil {
				first = f.Doc.Pos()
			}
			sound := slices.ContainsFunc(s.ast.Comments, func(c *ast.CommentGroup) bool {
				return first <= c.Pos() && c.End() <= last && strings.Contains(c.Text(), "Sound:")
			})
			ast.Inspect(d, func(n ast.Node) bool {
				if sound {
					return false
				}
				what := ""
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "unsafe" && slices.Contains([]string{"Add", "Slice", "String"}, n.Sel.Name) {
						what = "unsafe." + n.Sel.Name
					}
				case *ast.CallExpr:
					paren, ok := n.Fun.(*ast.ParenExpr)
					if !ok || len(n.Args) != 1 {
						break
					}
					if _, ok := paren.X.(*ast.StarExpr); !ok {
						break
					}
					if x, ok := n.Args[0].(*ast.Ident); !ok || x.Name != "nil" {
						what = "a conversion to a pointer"
					}
				}
				if what != "" {
					t.Errorf("%s:%d: %s in a declaration without a comment \"Sound: ...\"", s.path, s.line(n.Pos()), what)
				}
				return true
			})
		}
		for _, i := range s.ast.Imports {
			if i.Path.Value == `"unsafe"` && i.Name != nil {
				t.Errorf("%s:%d: unsafe is imported as %s", s.path, s.line(i.Pos()), i.Name)
			}
		}
	})
	if !seen {
		t.Error("no file uses unsafe: the test reads the wrong ones")
	}
}

func TestLinkname(t *testing.T) {
	seen := false
	sources(t, func(s source) {
		for _, g := range s.ast.Comments {
			for _, c := range g.List {
				if !strings.HasPrefix(c.Text, "//go:linkname ") {
					continue
				}
				if s.path == "internal/magazine/pin.go" {
					seen = true
				} else {
					t.Errorf("%s:%d: linkname is for internal/magazine/pin.go alone", s.path, s.line(c.Pos()))
				}
			}
		}
	})
	if !seen {
		t.Error("internal/magazine/pin.go has no linkname: the test reads the wrong files")
	}
}

func TestLicenseLines(t *testing.T) {
	sources(t, func(s source) {
		if c := s.ast.Comments; len(c) == 0 || s.line(c[0].Pos()) != 1 || c[0].List[0].Text != "// SPDX-License-Identifier: BSD-3-Clause" {
			t.Errorf("%s does not begin with the license line", s.path)
		}
	})
}

// TestNoPathsOfAMachine looks for folders that exist on one machine only.
func TestNoPathsOfAMachine(t *testing.T) {
	path := regexp.MustCompile(`(^|[^\w.~*-])/(` + strings.Join([]string{"work", "home", "root", "Users", "mnt"}, "|") + `)/\w`)
	files(t, func(name string) {
		if strings.HasSuffix(name, ".sum") {
			return
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			return
		}
		if bytes.IndexByte(data, 0) >= 0 {
			return // no text
		}
		n := 0
		for line := range strings.Lines(string(data)) {
			n++
			if path.MatchString(line) {
				t.Errorf("%s:%d names a folder of a machine: %s", name, n, strings.TrimSpace(line))
			}
		}
	})
}

// TestModulesBuildAlone builds each module as its users get it.
func TestModulesBuildAlone(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("builds every module")
	}
	for _, dir := range modules(t) {
		cmd := exec.Command("go", "build", "-o", os.DevNull, "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("GOWORK=off go build ./... in %s: %v\n%s", dir, err, out)
		}
	}
}

// TestReadmeExample compares the README's code with Example, which is run.
func TestReadmeExample(t *testing.T) {
	modules(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(readme), "\n```go\n")
	block, _, ok2 := strings.Cut(block, "```\n")
	if !ok || !ok2 {
		t.Fatal("README.md has no block of Go")
	}
	src, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := strings.Cut(string(src), "\nfunc Example() {\n")
	body, _, ok2 = strings.Cut(body, "\t// Output:\n")
	if !ok || !ok2 {
		t.Fatal("example_test.go has no Example with an output")
	}
	var want strings.Builder
	for line := range strings.Lines(body) {
		want.WriteString(strings.TrimPrefix(line, "\t"))
	}
	if block != want.String() {
		t.Errorf("README.md shows\n%s\nwhere Example runs\n%s", block, want.String())
	}
}
