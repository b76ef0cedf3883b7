// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// sidesModule is a module whose benchmark allocates by build tag, environment
// and commit.
var sidesModule = map[string]string{
	"go.mod":         "module sides.example\n\ngo 1.26\n",
	"p/plain.go":     "//go:build !two\n\npackage p\n\nconst Tagged = 1\n",
	"p/two.go":       "//go:build two\n\npackage p\n\nconst Tagged = 2\n",
	"p/committed.go": "package p\n\nconst Committed = 1\n",
	"p/p_test.go": `package p

import (
	"os"
	"strconv"
	"testing"
)

var sink *[64]byte

func count(b *testing.B, n int) {
	for b.Loop() {
		for range n {
			sink = new([64]byte)
		}
	}
}

func BenchmarkTagged(b *testing.B)    { count(b, Tagged) }
func BenchmarkCommitted(b *testing.B) { count(b, Committed) }
func BenchmarkEnv(b *testing.B) {
	n, _ := strconv.Atoi(os.Getenv("SIDES_N"))
	count(b, n)
}
`,
}

// sidesDir writes the module and enters it.
func sidesDir(t *testing.T) string {
	t.Helper()
	dir := writeFiles(t, sidesModule)
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	t.Chdir(dir)
	return dir
}

func git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// sidesRepository is sidesDir as a git repository: a commit, tagged first, and
// on top of it changes that are not committed.
func sidesRepository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	dir := sidesDir(t)
	addFiles(t, dir, map[string]string{
		"old/old_test.go": "package old\n\nimport \"testing\"\n\nfunc BenchmarkOld(b *testing.B) {}\n",
		"p/only_test.go":  "package p\n\nimport \"testing\"\n\nfunc BenchmarkOnlyThen(b *testing.B) {}\n",
	})
	git(t, "init", "-q")
	git(t, "add", ".")
	git(t, "commit", "-q", "-m", "first")
	git(t, "tag", "first")
	for _, gone := range []string{"old", "p/only_test.go"} {
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
	}
	addFiles(t, dir, map[string]string{"p/committed.go": "package p\n\nconst Committed = 3\n"})
	return dir
}

// here runs the program in the current directory, with a folder for temporary
// files that must be empty afterwards.
func here(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	var out, err bytes.Buffer
	code = run(t.Context(), &out, &err, args)
	empty(t, tmp)
	return out.String(), err.String(), code
}

// allocs returns the least allocs/op of each benchmark by side.
func allocs(t *testing.T, file string) map[string]float64 {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	least := make(map[string]float64)
	for _, r := range results(t, string(data)) {
		v, ok := r.Value("allocs/op")
		if !ok {
			t.Fatalf("%s has no allocs/op", r.Name)
		}
		at := r.GetConfig("side") + " " + string(r.Name)
		if old, ok := least[at]; !ok || v < old {
			least[at] = v
		}
	}
	return least
}

func checkAllocs(t *testing.T, file string, want map[string]float64) {
	t.Helper()
	got := allocs(t, file)
	for at, w := range want {
		if g, ok := got[at]; !ok || g != w {
			t.Errorf("%s: %v allocs/op (%v), want %v", at, g, ok, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("measured %v, want %v", got, want)
	}
}

func TestBenchAgainstACommit(t *testing.T) {
	needsProcesses(t)
	dir := sidesRepository(t)
	out := filepath.Join(t.TempDir(), "out.txt")
	// From a directory below the repository's top, and with a pattern that is
	// absolute.
	t.Chdir(filepath.Join(dir, "p"))
	stdout, stderr, code := here(t, "bench", "-base", "first", "-count=6", "-benchtime=100x", "-cpu=1", "-o", out, filepath.Join(dir, "..."))
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	commit := git(t, "rev-parse", "--short", "first")
	contains(t, "the comparison", stdout, "base: sides.example at commit "+commit+"\n", "new: sides.example at commit "+commit+", with uncommitted changes",
		"Committed", "  base", "  new", "1 ±", "[")
	contains(t, "standard error", stderr, "uncommitted changes", "building side base, 1/1: sides.example/p", "building side new, 1/1",
		"warning: package sides.example/old has benchmarks that match on side base only",
		"warning: BenchmarkOnlyThen in package sides.example/p is on side base only")
	checkAllocs(t, out, map[string]float64{
		"base Committed": 1, "new Committed": 3, "base Tagged": 1, "new Tagged": 1, "base Env": 0, "new Env": 0,
	})
	if list := git(t, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("git still lists a worktree:\n%s", list)
	}
	if got := git(t, "status", "--porcelain"); strings.Contains(got, "??") {
		t.Errorf("files were left in the working tree:\n%s", got)
	}
}

func TestBenchAgainstTags(t *testing.T) {
	needsTrials(t)
	sidesDir(t)
	out := filepath.Join(t.TempDir(), "out.txt")
	stdout, stderr, code := here(t, "bench", "-tags-b=two", "-bench=Tagged|Env", "-count=1", "-benchtime=100x", "-cpu=1", "-o", out, "./p")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the comparison", stdout, "a: as it is", "b: tags two")
	checkAllocs(t, out, map[string]float64{"a Tagged": 1, "b Tagged": 2, "a Env": 0, "b Env": 0})
}

func TestBenchAgainstEnvironment(t *testing.T) {
	needsTrials(t)
	sidesDir(t)
	out := filepath.Join(t.TempDir(), "out.txt")
	// The go command has the environment too: GOFLAGS sets a build tag.
	stdout, stderr, code := here(t, "bench", "-env-a", "SIDES_N=4", "-env-b", "SIDES_N=5", "-env-b", "GOFLAGS=-tags=two", "-bench=Tagged|Env",
		"-count=1", "-benchtime=100x", "-cpu=1", "-o", out, "./p")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the comparison", stdout, "a: SIDES_N=4", "b: SIDES_N=5 GOFLAGS=-tags=two")
	checkAllocs(t, out, map[string]float64{"a Tagged": 1, "b Tagged": 2, "a Env": 4, "b Env": 5})
}

func TestBenchstatReadsSides(t *testing.T) {
	needsTrials(t)
	stat := filepath.Join(t.TempDir(), "benchstat.exe")
	if out, err := exec.Command("go", "build", "-o", stat, "golang.org/x/perf/cmd/benchstat").CombinedOutput(); err != nil {
		t.Fatalf("building benchstat: %v\n%s", err, out)
	}
	sidesDir(t)
	out := filepath.Join(t.TempDir(), "out.txt")
	if _, stderr, code := here(t, "bench", "-tags-b=two", "-bench=Tagged", "-count=6", "-benchtime=100x", "-o", out, "./p"); code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	var table, complaints bytes.Buffer
	cmd := exec.Command(stat, "-col", "side", out)
	cmd.Stdout, cmd.Stderr = &table, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("benchstat: %v\n%s", err, complaints.String())
	}
	// One column for each side, and the allocations twice as many.
	contains(t, "benchstat's table", strings.Join(strings.Fields(table.String()), " "), "│ a │ b │", "vs base", "│ allocs/op │ allocs/op vs base │", "1.000 ± 0% 2.000 ± 0% +100.00% (p=0.002 n=6)")
	if strings.Contains(complaints.String(), ":") {
		t.Errorf("benchstat complains:\n%s", complaints.String())
	}
}

func TestBenchJSON(t *testing.T) {
	needsTrials(t)
	sidesRepository(t)
	stdout, stderr, code := here(t, "bench", "-json", "-base=first", "-bench=Committed", "-count=6", "-benchtime=2000x", "-cpu=1", "./p")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	d := json.NewDecoder(strings.NewReader(stdout))
	var doc struct {
		Schema string
		Rounds int
		Exact  bool
		Sides  []struct {
			Name, Go string
			Modules  []struct {
				Path, Commit string
				Dirty        bool
			}
		}
		Units      map[string]string
		Benchmarks []struct {
			Package, Name, Side string
			Procs               int
			Loop                bool
			Iterations          []int
			Samples, Replica    map[string][]float64
			Medians             map[string]float64
		}
		Comparisons []struct {
			Package, Name, Unit, Base, Value string
			Ratio, Low, High, P              float64
			PHolm                            float64  `json:"p_holm"`
			NoiseFloor                       *float64 `json:"noise_floor"`
			Differs                          bool
			Rounds                           int
		}
		Warnings []string
	}
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Error("there is more than one document")
	}
	if doc.Schema != "spare.bench/v1" || doc.Rounds != 6 || !doc.Exact || doc.Warnings == nil || doc.Units["MB/s"] != "higher" || doc.Units["cold-B/op"] != "lower" {
		t.Errorf("the document begins %+v", doc)
	}
	if len(doc.Sides) != 2 || doc.Sides[0].Name != "base" || doc.Sides[0].Modules[0].Dirty || !doc.Sides[1].Modules[0].Dirty || doc.Sides[0].Go != runtime.Version() {
		t.Errorf("sides %+v", doc.Sides)
	}
	if len(doc.Benchmarks) != 2 {
		t.Fatalf("%d benchmarks, want one of each side", len(doc.Benchmarks))
	}
	for i, want := range []struct {
		side    string
		allocs  float64
		replica int
	}{{"base", 1, 6}, {"new", 3, 0}} {
		b := doc.Benchmarks[i]
		if b.Package != "sides.example/p" || b.Name != "BenchmarkCommitted" || b.Side != want.side || b.Procs != 1 || !b.Loop ||
			len(b.Iterations) != 6 || b.Iterations[0] != 2000 || len(b.Samples["ns/op"]) != 6 || slices.Min(b.Samples["allocs/op"]) != want.allocs ||
			b.Medians["cold-allocs/op"] != want.allocs || len(b.Replica["ns/op"]) != want.replica {
			t.Errorf("benchmark %+v, want %+v", b, want)
		}
	}
	i := slices.IndexFunc(doc.Comparisons, func(c struct {
		Package, Name, Unit, Base, Value string
		Ratio, Low, High, P              float64
		PHolm                            float64  `json:"p_holm"`
		NoiseFloor                       *float64 `json:"noise_floor"`
		Differs                          bool
		Rounds                           int
	}) bool {
		return c.Unit == "ns/op"
	})
	if i < 0 {
		t.Fatalf("comparisons %+v, want one of ns/op", doc.Comparisons)
	}
	if c := doc.Comparisons[i]; c.Base != "base" || c.Value != "new" || c.Rounds != 6 || !(c.Low <= c.Ratio && c.Ratio <= c.High) || c.NoiseFloor == nil || !(c.P <= c.PHolm) {
		t.Errorf("comparison %+v", c)
	}

	// Without a comparison the lists are empty, and the measurements can still go
	// to a file.
	out := filepath.Join(t.TempDir(), "out.txt")
	stdout, stderr, code = here(t, "bench", "-json", "-o", out, "-bench=Env", "-count=1", "-benchtime=1x", "./p")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the document", stdout, `"comparisons":[]`, `"warnings":[`, `"name":"BenchmarkEnv"`)
	if n := len(allocs(t, out)); n != 1 {
		t.Errorf("%d benchmarks in the file, want 1", n)
	}
}

func TestBadSides(t *testing.T) {
	needsTrials(t)
	sidesRepository(t)
	outside := writeFiles(t, sidesModule)
	for _, tt := range []struct {
		name string
		dir  string
		args []string
		want []string
	}{
		{"unknown revision", "", []string{"-base", "nowhere", "./p"}, []string{"-base nowhere", `"nowhere" names no commit`}},
		{"empty revision", "", []string{"-base=", "./p"}, []string{"-base", "HEAD~1"}},
		{"no repository", outside, []string{"-base", "HEAD", "./p"}, []string{"-base HEAD", "is not in the working tree of a git repository"}},
		{"two ways", "", []string{"-base", "first", "-tags-a", "two", "./p"}, []string{"-base and -tags-a"}},
		{"base by key", "", []string{"-base", "first", "-by", "impl", "./p"}, []string{"-base and -by"}},
		{"sides by key", "", []string{"-env-b", "X=1", "-by", "impl", "./p"}, []string{"-env-b and -by"}},
		{"no value", "", []string{"-env-a", "X", "./p"}, []string{"-env-a", "NAME=VALUE"}},
		{"reserved", "", []string{"-env-a", "GOMAXPROCS=1", "./p"}, []string{"-env-a", "GOMAXPROCS cannot be set: use -cpu"}},
		{"package of the new side only", "", []string{"-base", "first", "./q"}, []string{"side base", "package ./q cannot be loaded"}},
		{"nothing on both", "", []string{"-base", "first", "-bench", "Only", "./p"}, []string{"side new", "no benchmark", "-bench Only"}},
		{"does not build on one side", "", []string{"-tags-b", "broken", "./p"}, []string{"side b", "package sides.example/p does not build", "undefined: undefined"}},
		{"fails on one side", "", []string{"-env-b", "FAIL=1", "./r"}, []string{"side b", "BenchmarkFails in package sides.example/r failed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.dir != "" {
				t.Chdir(tt.dir)
			} else {
				addFiles(t, ".", map[string]string{
					"q/q_test.go":  "package q\n\nimport \"testing\"\n\nfunc BenchmarkQ(b *testing.B) {}\n",
					"p/broken.go":  "//go:build broken\n\npackage p\n\nvar _ = undefined\n",
					"r/r_test.go":  "package r\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc BenchmarkFails(b *testing.B) {\n\tif os.Getenv(\"FAIL\") != \"\" {\n\t\tb.Fatal(\"it fails\")\n\t}\n}\n",
					"p/skip_me.go": "package p\n",
				})
			}
			stdout, stderr, code := here(t, append([]string{"bench", "-count=1", "-benchtime=5x"}, tt.args...)...)
			if code != 2 {
				t.Errorf("code %d, want 2", code)
			}
			contains(t, "standard error", stderr, tt.want...)
			if stdout != "" {
				t.Errorf("standard output:\n%s", stdout)
			}
			if tt.dir == "" {
				if list := git(t, "worktree", "list"); strings.Contains(list, "\n") {
					t.Errorf("git lists a worktree:\n%s", list)
				}
			}
		})
	}
}
