// SPDX-License-Identifier: BSD-3-Clause

// Package overlay gives test binaries a testing package that measures more
// than go test prints, without a change to the benchmarks or to GOROOT.
//
// # Method
//
// go build and go test take -overlay FILE: a JSON file that puts other files in
// the place of those on disk. [Write] copies testing/benchmark.go out of the
// toolchain that will build the benchmarks, renames a few of its methods with
// the prefix std, adds one field to testing.B, and adds a file in which the
// methods stand under their own names again, call the originals, and measure.
// The edits are found in the syntax tree: a method that is missing, doubled, or
// has another signature is an error, and so is a result that does not compile.
// The caller then falls back to what go test can give, and says so.
//
// # What is measured
//
// The measurements of a benchmark come from one process that runs nothing else.
//
//   - Time, bytes and allocations are those that testing.B itself accumulates
//     while its timer runs; the process writes the totals, not quotients cut to
//     integers, so that 1/3 of an allocation per operation is visible. StopTimer
//     and ResetTimer mean what they always mean: setup before the timer does not
//     count.
//   - CPU time is the process's user and system time (getrusage, or
//     GetProcessTimes) over the same spans, the collector's threads included.
//   - The cold figures belong to the first operation of the process. For a loop
//     to b.N that is the run with N=1 which the testing package makes first and
//     throws away. For b.Loop it is the first iteration, which is timed apart and
//     left out of the other figures; otherwise bytes and allocations per
//     operation would depend on -benchtime.
//   - The figures after a collection belong to one more operation, after the
//     measured ones and after two collections: two, because sync.Pool keeps its
//     values through the first. b.Loop takes it in the same loop. For b.N the
//     benchmark function is called again with N=1, so that a pool which the
//     function itself makes is new each time.
//   - Collections: when each of those ended that fell between the first start and
//     the last stop of the timer, and for how long it stopped the world. The
//     runtime remembers the last 256.
//   - Idle: what is allocated within a millisecond in which no operation runs, the
//     least of three. For b.Loop it lies before the operation after the
//     collections, with all that the function has started; for b.N it is at the
//     end, when only what outlives the function is left.
//   - Set-up: a function with a loop to b.N that calls neither ResetTimer nor
//     StopTimer has what it does before the loop counted, and in the two figures
//     above nothing dilutes it. Such a function is called once more with N=1 at
//     the end, when the pools that outlive it are filled; what it allocates then
//     beyond a warm operation is recorded as setup, for a warning. The figures
//     stay as they are: nothing tells the set-up from the first operation.
//
// The counts are those of the whole process, as in the testing package: what a
// goroutine in the background allocates while the timer runs is counted, and so
// are the goroutines that RunParallel starts.
package overlay

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed _testing/spare.go _testing/spare_cpu_unix.go _testing/spare_cpu_windows.go _testing/spare_cpu_other.go
var added embed.FS

// renamed lists the functions of testing/benchmark.go that the overlay takes
// the place of, with the signature that it relies on.
var renamed = []struct {
	recv, name string
	params     int
	result     string
}{
	{"", "initBenchmarkFlags", 0, ""},
	{"B", "StartTimer", 0, ""},
	{"B", "StopTimer", 0, ""},
	{"B", "ResetTimer", 0, ""},
	{"B", "RunParallel", 1, ""},
	{"B", "run1", 0, "bool"},
	{"B", "loopSlowPath", 0, "bool"},
	{"B", "doBench", 0, "BenchmarkResult"},
}

// Patch returns src, the text of GOROOT's testing/benchmark.go, with the edits
// that the added file needs. Line numbers stay as they are.
func Patch(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "testing/benchmark.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	offset := func(pos token.Pos) int { return fset.Position(pos).Offset }

	found := make([]int, len(renamed))
	structs := 0
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			for i, want := range renamed {
				if decl.Name.Name != want.name || receiver(decl) != want.recv {
					continue
				}
				if got := result(decl.Type); decl.Type.Params.NumFields() != want.params || got != want.result {
					return nil, fmt.Errorf("testing/benchmark.go: %s has another signature than a function of %d parameters that returns (%s)", want.name, want.params, want.result)
				}
				found[i]++
				edits = append(edits, edit{offset(decl.Name.Pos()), offset(decl.Name.End()),
					"std" + strings.ToUpper(want.name[:1]) + want.name[1:]})
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				ts, ok := spec.(*ast.TypeSpec)
				if !ok || ts.Name.Name != "B" {
					continue
				}
				st, ok := ts.Type.(*ast.StructType)
				if !ok {
					return nil, fmt.Errorf("testing/benchmark.go: type B is not a struct")
				}
				structs++
				brace := offset(st.Fields.Opening) + 1
				edits = append(edits, edit{brace, brace, " spare spareState"})
			}
		}
	}
	for i, n := range found {
		if n != 1 {
			return nil, fmt.Errorf("testing/benchmark.go: %d declarations of %s, want 1", n, renamed[i].name)
		}
	}
	if structs != 1 {
		return nil, fmt.Errorf("testing/benchmark.go: %d declarations of type B, want 1", structs)
	}

	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	last := 0
	for _, e := range edits {
		out = append(out, src[last:e.from]...)
		out = append(out, e.text...)
		last = e.to
	}
	return append(out, src[last:]...), nil
}

func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return ""
	}
	star, ok := decl.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return ""
	}
	id, ok := star.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return id.Name
}

func result(t *ast.FuncType) string {
	if t.Results == nil || len(t.Results.List) == 0 {
		return ""
	}
	if id, ok := t.Results.List[0].Type.(*ast.Ident); ok && t.Results.NumFields() == 1 {
		return id.Name
	}
	return "?"
}

// cpuFile names the added file that reads CPU time on goos.
func cpuFile(goos string) string {
	switch goos {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "linux", "netbsd", "openbsd", "solaris":
		return "spare_cpu_unix.go"
	case "windows":
		return "spare_cpu_windows.go"
	}
	return "spare_cpu_other.go"
}

// A Target is the toolchain and system that the overlay is made for.
type Target struct {
	GOROOT string
	GOOS   string

	// Base is an overlay that is in force already, from GOFLAGS; "" for none.
	Base string

	// Compile builds package testing with the overlay file, and returns what
	// the compiler said if it does not compile.
	Compile func(ctx context.Context, overlayFile string) error
}

// Write puts the overlay into dir, compiles package testing with it once, and
// returns the path of the JSON file for -overlay. An error means that the
// overlay does not apply to this toolchain, or that ctx was cancelled.
func Write(ctx context.Context, dir string, t Target) (string, error) {
	testingDir := filepath.Join(t.GOROOT, "src", "testing")
	original := filepath.Join(testingDir, "benchmark.go")
	src, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	patched, err := Patch(src)
	if err != nil {
		return "", err
	}

	var overlay struct{ Replace map[string]string }
	if t.Base != "" {
		data, err := os.ReadFile(t.Base)
		if err != nil {
			return "", fmt.Errorf("reading the overlay that GOFLAGS names: %w", err)
		}
		if err := json.Unmarshal(data, &overlay); err != nil {
			return "", fmt.Errorf("reading the overlay that GOFLAGS names: %s: %w", t.Base, err)
		}
	}
	if overlay.Replace == nil {
		overlay.Replace = make(map[string]string)
	}
	put := func(target, name string, text []byte) error {
		if _, taken := overlay.Replace[target]; taken {
			return fmt.Errorf("the overlay that GOFLAGS names replaces %s too", target)
		}
		path := filepath.Join(dir, name)
		overlay.Replace[target] = path
		return os.WriteFile(path, text, 0o666)
	}
	if err := put(original, "benchmark.go", patched); err != nil {
		return "", err
	}
	cpu := cpuFile(t.GOOS)
	for from, to := range map[string]string{
		"spare.go": "zz_spare.go",
		cpu:        "zz_spare_cpu.go", // no suffix that is a build constraint
	} {
		text, err := added.ReadFile("_testing/" + from)
		if err != nil {
			return "", err
		}
		if err := put(filepath.Join(testingDir, to), to, text); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		return "", err
	}
	if err := t.Compile(ctx, file); err != nil {
		return "", err
	}
	return file, nil
}
