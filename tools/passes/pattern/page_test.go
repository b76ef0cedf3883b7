// SPDX-License-Identifier: BSD-3-Clause

package pattern_test

import (
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/passes/pattern"
	"github.com/spare-go/spare/tools/passes/pattern/patterntest"
)

func TestPages(t *testing.T) {
	for _, name := range pattern.Names() {
		page := pattern.Page(name)
		head, _, _ := strings.Cut(page, "\n")
		if title := pattern.Title(name); title == "" || head != "# "+name+": "+title {
			t.Errorf("%s: the first line is %q", name, head)
		}
		at := 0
		for _, part := range []string{"\n## WRONG\n", "\n## RIGHT\n", "\n## Why\n", "\n## Silence\n"} {
			i := strings.Index(page[at:], part)
			if i < 0 {
				t.Fatalf("%s: no %q after the part before it", name, part)
			}
			at += i
		}
		if name != pattern.UnusedIgnore && !strings.Contains(page[at:], "\t//spare:ignore "+name+" reason\n") {
			t.Errorf("%s: the page does not say how to silence it", name)
		}
		for i, line := range strings.Split(page, "\n") {
			if len(line) > 100 {
				t.Errorf("%s: line %d has %d bytes; a terminal should show it whole", name, i+1, len(line))
			}
		}
	}
}

// TestNoOtherPages finds a page whose pattern was renamed.
func TestNoOtherPages(t *testing.T) {
	files, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(f, ".md"); !pattern.Known(name) {
			t.Errorf("%s: %q is no pattern", f, name)
		}
	}
	if pattern.Page("nonsense") != "" || pattern.Known("nonsense") || pattern.Title("nonsense") != "" {
		t.Error("an unknown name has a page")
	}
}

func TestDoc(t *testing.T) {
	doc := pattern.Doc("report two patterns", pattern.PutNil, pattern.WrongType)
	first, rest, _ := strings.Cut(doc, "\n")
	if first != "report two patterns" {
		t.Errorf("first line: %q", first)
	}
	if want := "\n" + pattern.Page("put-nil") + "\n" + pattern.Page("wrong-type"); rest != want {
		t.Errorf("the rest is not the two pages:\n%s", rest)
	}
}

// TestKind pins the patterns that break programs: their level in SARIF is an
// error.
func TestKind(t *testing.T) {
	correctness := []string{
		"use-after-put", "return-alias", "store-alias", "goroutine-use", "double-put", "missing-reset",
		"put-nil", "wrong-type", "wrong-pool", "pool-copied", "stack-alias",
	}
	for _, name := range pattern.Names() {
		want := "performance"
		if slices.Contains(correctness, name) {
			want = "correctness"
		} else if name == pattern.UnusedIgnore {
			want = "hygiene"
		}
		if got := pattern.Kind(name); got != want {
			t.Errorf("Kind(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestDocsFolder compares docs/vet with the pages; go generate writes it.
func TestDocsFolder(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "docs", "vet")
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		t.Skip("the tools module alone, outside the repository, has no docs folder")
	}
	for _, name := range pattern.Names() {
		got, err := os.ReadFile(filepath.Join(dir, name+".md"))
		if err != nil {
			t.Error(err)
		} else if string(got) != pattern.Page(name) {
			t.Errorf("docs/vet/%s.md differs from the page; run go generate ./passes/pattern", name)
		}
	}
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pattern.Names() {
		if row := "| [" + name + "](" + name + ".md) | " + pattern.Title(name) + " |\n"; !strings.Contains(string(readme), row) {
			t.Errorf("docs/vet/README.md has no row %s", row)
		}
	}
	// nogo takes analyzers by package: all that have one must be there.
	folders, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		src, _ := os.ReadFile(filepath.Join("..", f.Name(), f.Name()+".go"))
		if dep := `"@com_github_spare_go_spare_tools//passes/` + f.Name() + `",`; strings.Contains(string(src), "\nvar Analyzer = ") && !strings.Contains(string(readme), dep) {
			t.Errorf("docs/vet/README.md has no %s", dep)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".md"); name != "README" && !pattern.Known(name) {
			t.Errorf("%s: no pattern has this page", f)
		}
	}
}

// TestCodeCompiles type-checks each block of code by itself.
func TestCodeCompiles(t *testing.T) {
	imports := importer.Default()
	for _, name := range pattern.Names() {
		for _, heading := range []string{patterntest.Wrong, patterntest.Right} {
			block, err := patterntest.Block(name, heading)
			if err != nil {
				t.Fatal(err)
			}
			if formatted, err := format.Source([]byte(block)); err != nil || string(formatted) != block {
				t.Errorf("%s %s: not formatted as gofmt does (%v)", name, heading, err)
			}
			src, err := patterntest.File(name, heading)
			if err != nil {
				t.Fatal(err)
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			conf := types.Config{Importer: imports, Error: func(err error) { t.Errorf("%s %s: %v", name, heading, err) }}
			conf.Check("p", fset, []*ast.File{file}, nil)
		}
	}
}
