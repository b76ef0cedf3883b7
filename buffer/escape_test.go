// SPDX-License-Identifier: BSD-3-Clause

package buffer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

// TestEscapes reads what the compiler says about testdata/probe: New and the
// writers are inlined, and neither a Buffer nor its first 64 bytes move to the
// heap, except where somebody else gets to see them.
func TestEscapes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	if race.Enabled || checked.Enabled {
		t.Skip("looks at the usual build")
	}
	const file = "testdata/probe/probe.go"
	out, err := exec.Command("go", "build", "-gcflags=-m", "./testdata/probe").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	inFunc := func(line int) string {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fset.Position(fn.Pos()).Line <= line && line <= fset.Position(fn.End()).Line {
				return fn.Name.Name
			}
		}
		return ""
	}

	inlined := map[string][]string{} // by function
	onHeap := map[string]bool{}
	onStack := map[string]bool{}
	re := regexp.MustCompile(`(?m)^testdata/probe/probe\.go:(\d+):\d+: (?:inlining call to (.*)|(moved to heap: .*)|(make\(\[\]byte, 0, 64\) escapes to heap.*)|(make\(\[\]byte, 0, 64\) does not escape))$`)
	for _, m := range re.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[1])
		fn := inFunc(line)
		switch {
		case m[2] != "":
			inlined[fn] = append(inlined[fn], m[2])
		case m[3] != "" || m[4] != "":
			onHeap[fn] = true
		default:
			onStack[fn] = true
		}
	}
	for _, name := range []string{"New", "(*Buffer).Write", "(*Buffer).WriteString", "(*Buffer).WriteByte", "(*Buffer).Len", "(*Buffer).Bytes", "(*Buffer).Release"} {
		if !slices.Contains(inlined["writers"], "buffer."+name) {
			t.Errorf("%s is not inlined", name)
		}
	}
	if !slices.Contains(inlined["str"], "buffer.(*Buffer).String") {
		t.Error("String is not inlined")
	}
	for _, fn := range []string{"writers", "str", "readers", "reader"} {
		if onHeap[fn] || !onStack[fn] {
			t.Errorf("%s: the Buffer or its bytes are on the heap", fn)
		}
	}
	// The array has to move where its bytes are handed out.
	for _, fn := range []string{"writeTo", "detach"} {
		if !onHeap[fn] {
			t.Errorf("%s: the compiler does not see that the bytes are handed out", fn)
		}
	}
	if t.Failed() {
		t.Logf("go build -gcflags=-m:\n%s", out)
	}
}
