// SPDX-License-Identifier: BSD-3-Clause

package overlay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/overlay"
)

// original returns the testing package's file of the toolchain that runs this
// test. That the patched one compiles and counts is what the tests of package
// session prove.
func original(t *testing.T) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(goroot(t), "src", "testing", "benchmark.go"))
	if err != nil {
		t.Skipf("no GOROOT: %v", err)
	}
	return src
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func declared(t *testing.T, src []byte) map[string]int {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "benchmark.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]int)
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			lines[fn.Name.Name] = fset.Position(fn.Pos()).Line
		}
	}
	return lines
}

func TestPatchRenamesInPlace(t *testing.T) {
	src := original(t)
	out, err := overlay.Patch(src)
	if err != nil {
		t.Fatal(err)
	}
	before, after := declared(t, src), declared(t, out)
	for _, name := range []string{"StartTimer", "StopTimer", "ResetTimer", "RunParallel", "run1", "loopSlowPath", "doBench", "initBenchmarkFlags"} {
		std := "std" + strings.ToUpper(name[:1]) + name[1:]
		if before[name] == 0 || after[std] != before[name] {
			t.Errorf("%s was on line %d, and %s is on line %d", name, before[name], std, after[std])
		}
		if after[name] != 0 {
			t.Errorf("%s is still declared", name)
		}
		delete(before, name)
		delete(after, std)
	}
	for name, line := range before {
		if after[name] != line {
			t.Errorf("%s moved from line %d to %d", name, line, after[name])
		}
	}
}

func TestPatchRefusesWhatItDoesNotKnow(t *testing.T) {
	src := string(original(t))
	for _, tt := range []struct{ name, old, new, want string }{
		{"missing", "func (b *B) run1() bool", "func (b *B) runFirst() bool", "0 declarations of run1"},
		{"signature", "func (b *B) run1() bool", "func (b *B) run1() (bool, error)", "run1 has another signature"},
		{"parameters", "func (b *B) StartTimer()", "func (b *B) StartTimer(at int)", "StartTimer has another signature"},
		{"receiver", "func (b *B) StopTimer()", "func (b B) StopTimer()", "0 declarations of StopTimer"},
		{"no struct", "type B struct {", "type B interface { f() }\ntype b2 struct {", "type B is not a struct"},
		{"renamed struct", "type B struct {", "type B2 struct {", "0 declarations of type B"},
		{"doubled", "type discard struct{}", "func (b *B) ResetTimer() {}\ntype discard struct{}", "2 declarations of ResetTimer"},
		{"no Go", "package testing\n", "package\n", "benchmark.go"},
	} {
		if !strings.Contains(src, tt.old) {
			t.Errorf("%s: GOROOT's file lacks %q", tt.name, tt.old)
			continue
		}
		_, err := overlay.Patch([]byte(strings.Replace(src, tt.old, tt.new, 1)))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestWriteKeepsAnOverlayThatIsThere(t *testing.T) {
	original(t)
	dir := t.TempDir()
	base := filepath.Join(dir, "base.json")
	if err := os.WriteFile(base, []byte(`{"Replace":{"/a/b.go":"/c/d.go"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	target := overlay.Target{
		GOROOT: goroot(t), GOOS: "linux", Base: base,
		Compile: func(context.Context, string) error { return nil },
	}
	file, err := overlay.Write(t.Context(), dir, target)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Replace) != 4 || got.Replace["/a/b.go"] != "/c/d.go" {
		t.Errorf("the overlay replaces %v, want the base's file and three of its own", got.Replace)
	}
	for from, to := range got.Replace {
		if from == "/a/b.go" {
			continue
		}
		if text, err := os.ReadFile(to); err != nil || !bytes.Contains(text, []byte("package testing")) {
			t.Errorf("%s: %v", to, err)
		}
	}

	// The caller learns what the compiler said.
	refused := errors.New("does not compile")
	target.Base = ""
	target.Compile = func(context.Context, string) error { return refused }
	if _, err := overlay.Write(t.Context(), dir, target); !errors.Is(err, refused) {
		t.Errorf("error %v, want %v", err, refused)
	}
	// An overlay that replaces the testing package itself cannot be joined.
	taken, _ := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(goroot(t), "src", "testing", "benchmark.go"): "/c/d.go"}})
	if err := os.WriteFile(base, taken, 0o666); err != nil {
		t.Fatal(err)
	}
	target.Base = base
	if _, err := overlay.Write(t.Context(), dir, target); err == nil || !strings.Contains(err.Error(), "GOFLAGS") {
		t.Errorf("error %v, want one that names GOFLAGS", err)
	}
}
