// SPDX-License-Identifier: BSD-3-Clause

package checked_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

// The tests of this file show that a normal build contains nothing of the
// checked one.

func normalOnly(t *testing.T) {
	t.Helper()
	if checked.Enabled || race.Enabled {
		t.Skip("looks at the normal build")
	}
	if testing.Short() {
		t.Skip("runs the compiler")
	}
}

func TestNormalSize(t *testing.T) {
	if checked.Enabled {
		t.Skip("looks at the normal build")
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[spare.Pool[int]](), reflect.TypeFor[spare.Slices[byte]]()} {
		sum := uintptr(0)
		for i := range typ.NumField() {
			f := typ.Field(i)
			sum = (sum + uintptr(f.Type.Align()) - 1) &^ (uintptr(f.Type.Align()) - 1)
			if f.Type != reflect.TypeFor[checked.Pool]() {
				sum += f.Type.Size()
			}
		}
		if sum != typ.Size() {
			t.Errorf("%v takes %d bytes, %d without its checks", typ, typ.Size(), sum)
		}
	}
	if n := reflect.TypeFor[checked.Pool]().Size(); n != 0 {
		t.Errorf("checked.Pool takes %d bytes", n)
	}
}

// TestNormalProgram looks for the checks among the functions of a program.
func TestNormalProgram(t *testing.T) {
	normalOnly(t)
	functions := func(tags string) (found []string) {
		exe := filepath.Join(t.TempDir(), "program")
		if out, err := exec.Command("go", "build", "-tags="+tags, "-o", exe, "testdata/program/main.go").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		out, err := exec.Command("go", "tool", "nm", exe).Output()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(out, []byte("spare/internal/magazine.")) {
			t.Fatal("the program has no pools")
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) > 2 && strings.ContainsAny(f[1], "TtDdBb") && (strings.Contains(f[2], "spare/internal/checked") || strings.Contains(f[2], "Checked")) {
				found = append(found, f[2])
			}
		}
		return found
	}
	if f := functions(""); len(f) > 0 {
		t.Errorf("a normal program contains %q", f)
	}
	if f := functions("spare_checked"); len(f) < 10 {
		t.Errorf("a checked program contains but %q: the test looks for the wrong thing", f)
	}
}

// TestNormalCode compiles the pools twice: as they are, and with everything
// about checks cut out of the source. The machine code has to be the same.
func TestNormalCode(t *testing.T) {
	normalOnly(t)
	with := machineCode(t, nil)
	cut := map[string]string{"check.go": ""}
	cuts := 0
	for _, name := range []string{"pool.go", "slices.go", "inline.go"} {
		src, n := withoutChecks(t, filepath.Join("..", "..", name))
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, src, 0o600); err != nil {
			t.Fatal(err)
		}
		cut[name] = file
		cuts += n
	}
	if cuts < 10 {
		t.Fatalf("%d places were cut out: the test does not see the checks", cuts)
	}
	without := machineCode(t, cut)
	names := slices.Sorted(maps.Keys(without))
	for _, want := range []string{"Pool[", "Slices["} {
		for _, method := range []string{").Get", ").Put"} {
			if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, want) && strings.HasSuffix(n, method) }) {
				t.Errorf("no code of %s...%s", want, method)
			}
		}
	}
	bytes, instructions := 0, 0
	for _, name := range names {
		bytes += len(strings.Join(without[name], "")) / 2
		instructions += len(without[name])
		if !slices.Equal(with[name], without[name]) {
			t.Errorf("%s: %d instructions, %d without the checks", name, len(with[name]), len(without[name]))
		}
	}
	t.Logf("%d functions, %d instructions, %d bytes, the same with and without the source of the checks; %d places cut", len(names), instructions, bytes, cuts)
	for name := range with {
		if without[name] == nil {
			t.Errorf("%s exists only with the checks", name)
		}
	}
}

// machineCode compiles the probe of the generic API and returns, for each
// function of the pools, its instructions in hexadecimal. Files in the root of the module
// are replaced by others, or left out.
func machineCode(t *testing.T, replace map[string]string) map[string][]string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	for from, to := range replace {
		overlay.Replace[filepath.Join(root, from)] = to
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "probe.a")
	if out, err := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", archive, "../probe").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `spare\.`, archive).Output()
	if err != nil {
		t.Fatal(err)
	}
	code := make(map[string][]string)
	name := ""
	hash := regexp.MustCompile(`go\.shape\.[0-9a-f]{64}|go\.shape\.struct \{.*?\}\]`)
	instruction := regexp.MustCompile(`^\s+\S+\s+0x[0-9a-f]+\s+([0-9a-f]+)\s`)
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "TEXT "); ok {
			// The name of a shape is a hash over the fields.
			name, _, _ = strings.Cut(hash.ReplaceAllString(rest, "go.shape.hash"), "(SB)")
		} else if m := instruction.FindStringSubmatch(line); m != nil {
			code[name] = append(code[name], m[1])
		}
	}
	return code
}

// withoutChecks returns the source of a file without what depends on
// checked.Enabled, and how many places were cut.
func withoutChecks(t *testing.T, path string) (src []byte, cuts int) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	enabled := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		if !ok || s.Sel.Name != "Enabled" {
			return false
		}
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == "checked"
	}
	blank := func(from, to token.Pos) {
		cuts++
		for i := fset.Position(from).Offset; i < fset.Position(to).Offset; i++ {
			if src[i] != '\n' { // lines keep their numbers
				src[i] = ' '
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			cond := n.Cond
			if b, ok := cond.(*ast.BinaryExpr); ok && b.Op == token.LAND {
				cond = b.X
			}
			if enabled(cond) {
				end := n.End()
				if n.Else != nil {
					end = n.Else.Pos()
				}
				blank(n.Pos(), end)
				return false
			}
		case *ast.BinaryExpr:
			if not, ok := n.Y.(*ast.UnaryExpr); ok && n.Op == token.LAND && not.Op == token.NOT && enabled(not.X) {
				blank(n.OpPos, n.End())
			}
		case *ast.Field:
			if s, ok := n.Type.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "checked" {
					blank(n.Pos(), n.End())
				}
			}
		case *ast.ImportSpec:
			if strings.HasSuffix(n.Path.Value, `/internal/checked"`) {
				blank(n.Pos(), n.End())
			}
		}
		return true
	})
	return src, cuts
}
