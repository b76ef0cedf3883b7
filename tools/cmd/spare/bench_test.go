// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/underrace"
)

func needsProcesses(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs test binaries")
	}
}

// needsTrials is for tests that build and run for long what is never built with -race: of spare itself the race
// detector sees the same in the other tests.
func needsTrials(t *testing.T) {
	t.Helper()
	needsProcesses(t)
	if underrace.Enabled() {
		t.Skip("runs trials that the race detector does not see")
	}
}

// results reads benchfmt, and fails on anything that is not.
func results(t *testing.T, text string) []*benchfmt.Result {
	t.Helper()
	var all []*benchfmt.Result
	r := benchfmt.NewReader(strings.NewReader(text), "output")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			all = append(all, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestBenchPrintsBenchfmt(t *testing.T) {
	needsProcesses(t)
	stdout, stderr, code := spare(t, "bench", "./ok", "-count", "2", "-benchtime=100x", "-cpu", "1,2")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	all := results(t, stdout)
	// Two rounds of five benchmarks at two values of GOMAXPROCS.
	if len(all) != 2*5*2 {
		t.Errorf("%d results, want 20:\n%s", len(all), stdout)
	}
	seen := make(map[string]int)
	for _, r := range all {
		seen[string(r.Name)]++
		for key, want := range map[string]string{"pkg": "mod.example/ok", "counts": "exact"} {
			if got := r.GetConfig(key); got != want {
				t.Errorf("%s: %s is %q, want %q", r.Name, key, got, want)
			}
		}
		for _, unit := range []string{"B/op", "allocs/op", "cold-B/op", "cold-allocs/op", "gc-B/op", "gc-allocs/op", "gc-cycles/op"} {
			if _, ok := r.Value(unit); !ok {
				t.Errorf("%s has no %s", r.Name, unit)
			}
		}
		if string(r.Name) == "Copy/impl=naive/size=large" {
			if v, _ := r.Value("B/op"); v < 4096 || v > 4100 {
				t.Errorf("%s: %v B/op, want 4096", r.Name, v)
			}
		}
	}
	for _, name := range []string{"Copy/impl=naive/size=small", "Copy/impl=reuse/size=large-2", "Alone", "Alone-2"} {
		if seen[name] != 2 {
			t.Errorf("%d results of %s, want 2; there are %v", seen[name], name, seen)
		}
	}
	contains(t, "output", stdout, "Unit cold-allocs/op better=lower")
	contains(t, "standard error", stderr, "building 1/1: mod.example/ok", "round 1/2", "left", "Benchmark")
}

func TestBenchSaysWhatIsSkipped(t *testing.T) {
	needsProcesses(t)
	stdout, stderr, code := spare(t, "bench", "-count=1", "-benchtime=10x", "-cpu=2", "./skips")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "standard error", stderr, "BenchmarkSkips in package mod.example/skips skips itself")
	var names []string
	for _, r := range results(t, stdout) {
		names = append(names, string(r.Name))
	}
	if want := []string{"Runs-2", "Parallel-2"}; !slices.Equal(names, want) {
		t.Errorf("measured %q, want %q", names, want)
	}

	_, stderr, code = spare(t, "bench", "-bench=Skips", "./skips")
	if code != 2 {
		t.Errorf("code %d with nothing left to measure, want 2", code)
	}
	contains(t, "standard error", stderr, "skips itself", "no benchmark in ./skips")
}

// Every name that go test can print must be found again when the benchmark
// runs alone.
func TestBenchFindsEveryName(t *testing.T) {
	needsProcesses(t)
	stdout, stderr, code := spare(t, "bench", "-count=1", "-benchtime=1x", "-cpu=1", "./names")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	var names []string
	for _, r := range results(t, stdout) {
		names = append(names, string(r.Name))
		if v, _ := r.Value("allocs/op"); v != 1 {
			t.Errorf("%s: %v allocs/op, want 1", r.Name, v)
		}
	}
	slices.Sort(names)
	want := []string{
		"Names/#00", `Names/<b>&"quoted"`, "Names/[z]", `Names/^$.*+?(){}\`, "Names/a|b", "Names/in/side",
		"Names/twice", "Names/twice#01", "Names/with_space", "Names/é=_",
	}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("measured %q\nwant     %q", names, want)
	}
}

func TestBenchComparesByKey(t *testing.T) {
	needsProcesses(t)
	out := filepath.Join(t.TempDir(), "new.txt")
	stdout, stderr, code := spare(t, "bench", "-bench", "Copy//size=large", "-by", "impl", "-count", "6", "-benchtime", "2000x", "-o", out, "./ok")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the table", stdout, "mod.example/ok", "Copy/size=large", "naive", "reuse", "1 ±", "4096 B", "[", "~: not told from 1", "1 ±x%")
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	all := results(t, string(data))
	if len(all) != 12 {
		t.Errorf("%d results in the file, want 6 rounds of 2; the replica of the noise floor is not one of them", len(all))
	}
	others := slices.ContainsFunc(all, func(r *benchfmt.Result) bool { return !strings.HasPrefix(string(r.Name), "Copy/impl=") })
	if others {
		t.Errorf("results of other benchmarks:\n%s", data)
	}

	_, stderr, code = spare(t, "bench", "-by", "color", "-count", "1", "-benchtime", "1x", "./ok")
	if code != 2 {
		t.Errorf("code %d for a key that does not occur, want 2", code)
	}
	contains(t, "standard error", stderr, "color=", "impl, size")
}

func TestSetupInTheFirstOperationsIsNamed(t *testing.T) {
	needsTrials(t)
	page := filepath.Join(t.TempDir(), "page.html")
	_, stderr, code := spare(t, "report", "-count=3", "-benchtime=1000x", "-cpu=2", "-o", page, "./setup")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const want = "cold and after-GC figures of BenchmarkUnreset include what it does before its loop: call b.ResetTimer, or use b.Loop"
	for what, text := range map[string]string{"standard error": stderr, "the page": string(data)} {
		contains(t, what, text, want)
		if n := strings.Count(text, "before its loop"); n != 1 {
			t.Errorf("%s has %d such warnings, want one", what, n)
		}
	}
	if strings.Contains(string(data), "benchstat -col") {
		t.Error("the page has benchstat compare by a key that does not occur")
	}
}

func TestBenchstatReadsTheOutput(t *testing.T) {
	needsTrials(t)
	stat := exec.Command("go", "build", "-o", filepath.Join(t.TempDir(), "benchstat.exe"), "golang.org/x/perf/cmd/benchstat")
	if out, err := stat.CombinedOutput(); err != nil {
		t.Fatalf("building benchstat: %v\n%s", err, out)
	}
	out := filepath.Join(t.TempDir(), "new.txt")
	stdout, stderr, code := spare(t, "bench", "-bench=Copy", "-count=4", "-benchtime=100x", "-o", out, "./ok")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	if stdout != "" {
		t.Errorf("with -o, standard output has:\n%s", stdout)
	}
	var table, complaints bytes.Buffer
	cmd := exec.Command(stat.Args[3], "-col", "/impl", out)
	cmd.Stdout, cmd.Stderr = &table, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("benchstat: %v\n%s", err, complaints.String())
	}
	contains(t, "benchstat's table", table.String(), "naive", "reuse", "vs base", "cpu-sec/op", "cold-allocs/op", "gc-B/op", "Copy/size=large")
	if strings.Contains(complaints.String(), ":") {
		t.Errorf("benchstat complains:\n%s", complaints.String())
	}
}

func TestBenchBadInput(t *testing.T) {
	needsTrials(t)
	dir := t.TempDir()
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"does not build", []string{"./broken"}, []string{"package mod.example/broken does not build", "undefined: undefined"}},
		{"does not exist", []string{"./nowhere"}, []string{"nowhere"}},
		{"one of several does not build", []string{"./ok", "./broken"}, []string{"package mod.example/broken does not build"}},
		{"no match", []string{"-bench", "Nothing", "./ok"}, []string{"no benchmark in ./ok (mod.example/ok) matches -bench Nothing", "go test -list"}},
		{"no match below", []string{"-bench", "Copy/impl=none", "./ok"}, []string{"matches -bench Copy/impl=none"}},
		{"no benchmarks", []string{"./none"}, []string{"no benchmark in ./none"}},
		{"fails", []string{"./fails"}, []string{"BenchmarkFails/inner in package mod.example/fails failed", "the reason of the failure", "-bench '^BenchmarkFails$/^inner$'"}},
		{"panics", []string{"./panics"}, []string{"BenchmarkPanics in package mod.example/panics panicked", "the reason of the panic"}},
		{"panics when it has ended", []string{"./outlives"}, []string{"BenchmarkOutlives in package mod.example/outlives panicked", "the reason of the late panic"}},
		{"fails late", []string{"./late"}, []string{"BenchmarkLate in package mod.example/late failed", "cannot do it"}},
		{"exits", []string{"./exits"}, []string{"BenchmarkExits in package mod.example/exits ended with exit status 3"}},
		{"hangs", []string{"-timeout", "300ms", "./hangs"}, []string{"BenchmarkHangs in package mod.example/hangs ran longer than -timeout 300ms"}},
		{"runs nothing", []string{"./mainless"}, []string{"package mod.example/mainless ran no benchmark", "TestMain"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := filepath.Join(dir, "old.txt")
			if err := os.WriteFile(out, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := spare(t, append([]string{"bench", "-count=1", "-benchtime=5x", "-o", out}, tt.args...)...)
			if code != 2 {
				t.Errorf("code %d, want 2", code)
			}
			contains(t, "standard error", stderr, tt.want...)
			if stdout != "" {
				t.Errorf("standard output:\n%s", stdout)
			}
			if data, _ := os.ReadFile(out); string(data) != "old" {
				t.Errorf("the output of before is now %q", data)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("files beside the output: %v", entries)
			}
		})
	}
}

func TestUnwritableOutput(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{filepath.Join(dir, "missing", "out.txt"), dir} {
		for _, command := range []string{"bench", "report"} {
			// The file is tried before anything is built: no package is needed.
			_, stderr, code := spare(t, command, "-o", name, "./nowhere")
			if code != 2 {
				t.Errorf("spare %s -o %s: code %d, want 2", command, name, code)
			}
			contains(t, "standard error", stderr, "-o: cannot write", name)
		}
	}
}

// A testing package that the overlay cannot join, here because another overlay
// replaces the same file, leaves go test's whole numbers, and says so.
func TestFallback(t *testing.T) {
	needsTrials(t)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(goroot)), "src", "testing", "benchmark.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: file}})
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(base, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	enter(t)
	t.Setenv("GOFLAGS", "-overlay="+base)
	var stdout, stderr strings.Builder
	if code := run(t.Context(), &stdout, &stderr, []string{"bench", "-bench=Copy|Alone", "-count=2", "-benchtime=100x", "./ok"}); code != 0 {
		t.Fatalf("code %d: %s", code, stderr.String())
	}
	contains(t, "standard error", stderr.String(), "cannot be made to count exactly", "falling back", "counts: integer", "go1.")
	all := results(t, stdout.String())
	if len(all) != 2*5 {
		t.Fatalf("%d results, want 10:\n%s", len(all), stdout.String())
	}
	for _, r := range all {
		if got := r.GetConfig("counts"); got != "integer" {
			t.Errorf("counts: %q, want integer", got)
		}
		for _, unit := range []string{"B/op", "allocs/op", "cold-B/op"} {
			if v, ok := r.Value(unit); !ok || v != float64(int64(v)) {
				t.Errorf("%s: %v %s, %v; want a whole number", r.Name, v, unit, ok)
			}
		}
	}

	page := filepath.Join(t.TempDir(), "page.html")
	stderr.Reset()
	if code := run(t.Context(), &stdout, &stderr, []string{"report", "-bench=Copy", "-count=2", "-benchtime=100x", "-o", page, "./ok"}); code != 0 {
		t.Fatalf("code %d: %s", code, stderr.String())
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "the page", string(data), "Whole numbers only")
}
