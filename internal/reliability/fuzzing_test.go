// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A target is a fuzz target of one of the modules.
type target struct {
	name, dir, what string
	checked         bool // needs the tag spare_checked
}

// targets finds the fuzz targets of all modules in their source.
func targets(t *testing.T) (all []target) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || strings.HasPrefix(d.Name(), "_")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		tagged := false
		for _, g := range file.Comments {
			for _, c := range g.List {
				if constraint.IsGoBuild(c.Text) {
					tagged = strings.Contains(c.Text, "spare_checked") && !strings.Contains(c.Text, "!spare_checked")
				}
			}
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Fuzz") {
				continue
			}
			what := strings.TrimPrefix(new(doc.Package).Synopsis(f.Doc.Text()), f.Name.Name+" ")
			dir, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			all = append(all, target{f.Name.Name, filepath.ToSlash(dir), strings.TrimSuffix(what, "."), tagged})
		}
		return nil
	})
	if err != nil || len(all) < 5 {
		t.Fatalf("%d targets: %v", len(all), err)
	}
	return all
}

func (x target) String() string {
	s := fmt.Sprintf("%s (%s)", x.name, x.dir)
	if x.dir == "." {
		s = x.name + " (the root)"
	}
	if x.checked {
		s = strings.TrimSuffix(s, ")") + ", tag spare_checked)"
	}
	return s
}

// TestFuzzing runs every fuzz target for as long as SPARE_FUZZ says, and writes how many
// executions there were and what they found. Otherwise it makes sure that none is
// missing in what was written.
func TestFuzzing(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "..", "go.work")); err != nil {
		t.Skip("not in the repository")
	}
	all := targets(t)
	length := os.Getenv("SPARE_FUZZ")
	if length == "" {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reliability.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			if !strings.Contains(string(text), fmt.Sprintf("| %v |", x)) {
				t.Errorf("docs/reliability.md does not say what %v found; SPARE_FUZZ=20s go test ./internal/reliability -run Fuzzing -update -timeout 1h writes it", x)
			}
		}
		return
	}
	normalOnly(t)
	if _, err := time.ParseDuration(length); err != nil {
		t.Fatalf("SPARE_FUZZ: %v", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Written by `SPARE_FUZZ=%s go test ./internal/reliability -run Fuzzing -update -timeout 1h` on %s with %s on %s/%s, two workers for each target.\n\n| target | what it does | executions | found |\n|---|---|---|---|\n",
		length, time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	execs := regexp.MustCompile(`execs: (\d+)`)
	for _, x := range all {
		args := []string{"test", "-run=^$", "-fuzz=^" + x.name + "$", "-fuzztime=" + length, "-parallel=2"}
		if x.checked {
			args = append(args, "-tags=spare_checked")
		}
		cmd := exec.Command("go", append(args, ".")...)
		cmd.Dir = filepath.Join("..", "..", filepath.FromSlash(x.dir))
		out, err := cmd.CombinedOutput()
		counts := execs.FindAllStringSubmatch(string(out), -1)
		if len(counts) == 0 {
			t.Fatalf("%v: %v\n%s", x, err, out)
		}
		found := "nothing"
		if err != nil {
			found = "a failure"
			t.Errorf("%v found a failure:\n%s", x, out)
		}
		fmt.Fprintf(&b, "| %v | %s | %s | %s |\n", x, x.what, counts[len(counts)-1][1], found)
	}
	figure(t, "fuzz", b.String())
}
