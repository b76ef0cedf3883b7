// SPDX-License-Identifier: BSD-3-Clause

package rewrite_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spare-go/spare/tools/internal/rewrite"
)

var update = flag.Bool("update", false, "write the golden files")

// module is a copy of testdata/mod in a workspace with spare, loaded once.
type module struct {
	dir  string
	env  []string
	pkgs []*packages.Package
}

// repository is the root of the checkout, in which spare and its codecs lie.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func testModule(t *testing.T) *module {
	t.Helper()
	m, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var shared = sync.OnceValues(func() (*module, error) {
	dir, err := os.MkdirTemp("", "spare-rewrite")
	if err != nil {
		return nil, err
	}
	tempDir = dir
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	m := &module{dir: dir}
	if err := os.CopyFS(filepath.Join(dir, "mod"), os.DirFS(filepath.Join("testdata", "mod"))); err != nil {
		return nil, err
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		return nil, err
	}
	work := fmt.Sprintf("go 1.26.0\n\nuse (\n\t./mod\n\t%q\n\t%q\n)\n", filepath.ToSlash(root), filepath.ToSlash(filepath.Join(root, "codec")))
	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte(work), 0o666); err != nil {
		return nil, err
	}
	m.env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS=")
	m.pkgs, err = rewrite.Load(context.Background(), filepath.Join(dir, "mod"), m.env, nil, "./...")
	return m, err
})

var tempDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if tempDir != "" {
		os.RemoveAll(tempDir)
	}
	os.Exit(code)
}

// A marked line is one with a comment that begins with the mark.
type markedLine struct {
	rewrite.Site
	rest string
}

func marked(t *testing.T, file, mark string) []markedLine {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []markedLine
	for i, line := range strings.Split(string(src), "\n") {
		if _, rest, ok := strings.Cut(line, "// "+mark); ok {
			rest = strings.TrimSpace(rest)
			found = append(found, markedLine{rewrite.Site{File: file, Line: i + 1, Outgrown: rest == "outgrown"}, rest})
		}
	}
	return found
}

func (m *module) under(t *testing.T, kind string) []*packages.Package {
	t.Helper()
	var found []*packages.Package
	for _, p := range m.pkgs {
		if strings.HasPrefix(p.PkgPath, "example.com/app/"+kind+"/") {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no package under %s", kind)
	}
	return found
}

func TestChanges(t *testing.T) {
	m := testModule(t)
	for _, pkg := range m.under(t, "change") {
		t.Run(pkg.Name, func(t *testing.T) {
			file := pkg.GoFiles[0]
			sites := marked(t, file, "site")
			if len(sites) != 1 {
				t.Fatalf("%d sites in %s, want 1", len(sites), file)
			}
			c, err := rewrite.Propose(pkg, sites[0].Site)
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Files) != 1 || c.Files[file] == nil || string(c.Old[file]) == "" {
				t.Fatalf("files %d, want the one of the site", len(c.Files))
			}
			if c.Kind == "" || c.Summary == "" || len(c.Imports) == 0 {
				t.Errorf("kind %q, summary %q, imports %q: want none empty", c.Kind, c.Summary, c.Imports)
			}
			got := fmt.Sprintf("%s: %s\nneeds %s\n\n%s", c.Kind, c.Summary, strings.Join(c.Imports, " "), c.Files[file])
			golden := filepath.Join("testdata", "golden", pkg.Name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	m := testModule(t)
	changes, refusals := len(m.under(t, "change")), 0
	for _, pkg := range m.under(t, "refuse") {
		for _, at := range marked(t, pkg.GoFiles[0], "refuse") {
			refusals++
			re := regexp.MustCompile(strings.Trim(at.rest, `"`))
			c, err := rewrite.Propose(pkg, at.Site)
			switch {
			case err == nil:
				t.Errorf("%s:%d: changed (%s), want a refusal that matches %s", filepath.Base(at.File), at.Line, c.Summary, re)
			case !errors.Is(err, rewrite.ErrNotMechanical):
				t.Errorf("%s:%d: %v, want one that wraps ErrNotMechanical", filepath.Base(at.File), at.Line, err)
			case !re.MatchString(err.Error()):
				t.Errorf("%s:%d: refused since %q, want a match of %s", filepath.Base(at.File), at.Line, err, re)
			}
		}
	}
	if refusals < changes {
		t.Errorf("%d refusals are tested, and %d changes: want as many", refusals, changes)
	}
}

// TestChangedCode builds and vets what the changes give.
func TestChangedCode(t *testing.T) {
	if testing.Short() {
		t.Skip("builds spare")
	}
	m := testModule(t)
	spare := filepath.Join(m.dir, "spare.exe")
	build := exec.Command("go", "build", "-o", spare, "./cmd/spare")
	build.Dir = filepath.Join(repository(t), "tools")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, pkg := range m.under(t, "change") {
		c, err := rewrite.Propose(pkg, marked(t, pkg.GoFiles[0], "site")[0].Site)
		if err != nil {
			t.Error(err)
			continue
		}
		for name, text := range c.Files {
			old, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
			defer os.WriteFile(name, old, 0o666)
		}
	}
	for _, args := range [][]string{{"go", "build", "./change/..."}, {"go", "vet", "./change/..."}, {spare, "vet", "./change/..."}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = filepath.Join(m.dir, "mod"), m.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

func TestWrongSites(t *testing.T) {
	m := testModule(t)
	i := slices.IndexFunc(m.pkgs, func(p *packages.Package) bool { return p.Name == "object" })
	pkg := m.pkgs[i]
	if _, err := rewrite.Propose(pkg, rewrite.Site{File: filepath.Join(m.dir, "mod", "nowhere.go"), Line: 1}); err == nil || errors.Is(err, rewrite.ErrNotMechanical) || !strings.Contains(err.Error(), "nowhere.go") {
		t.Errorf("a file that is not there: %v, want an error that names it", err)
	}
	if _, err := rewrite.Propose(pkg, rewrite.Site{File: pkg.GoFiles[0], Line: 10000}); !errors.Is(err, rewrite.ErrNotMechanical) {
		t.Errorf("a line that is not there: %v, want ErrNotMechanical", err)
	}
}

// TestWhat has a line that makes a json.Encoder, and on which a gzip.Writer
// gets its tables: What says which of them the site is.
func TestWhat(t *testing.T) {
	m := testModule(t)
	i := slices.IndexFunc(m.pkgs, func(p *packages.Package) bool { return p.Name == "gzipwriter" })
	pkg := m.pkgs[i]
	src, err := os.ReadFile(pkg.GoFiles[0])
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(string(src[:strings.Index(string(src), "json.NewEncoder")]), "\n")
	for _, tt := range []struct{ what, kind string }{
		{"", "json-encoder"}, {"json.NewEncoder", "json-encoder"}, {"gzip.NewWriter", "gzip-writer"}, {"flate.NewWriter", "gzip-writer"}, {"something else", "json-encoder"},
	} {
		c, err := rewrite.Propose(pkg, rewrite.Site{File: pkg.GoFiles[0], Line: line, What: tt.what})
		if err != nil {
			t.Errorf("what %q: %v", tt.what, err)
		} else if c.Kind != tt.kind {
			t.Errorf("what %q: a change of the kind %s, want %s", tt.what, c.Kind, tt.kind)
		}
	}
}
