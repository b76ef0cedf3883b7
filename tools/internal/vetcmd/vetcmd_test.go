// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/underrace"
	"github.com/spare-go/spare/tools/internal/vetcmd"
)

// fixture imports nothing, so that the go command has nothing else to build.
// app's finding needs the fact that wrap.Release puts.
const fixture = `
-- go.mod --
module example.com/m

go 1.26.0
-- pool/pool.go --
package pool

type T struct{ N int }

func Get() *T { return new(T) }
func Put(*T)  {}
-- wrap/wrap.go --
package wrap

import "example.com/m/pool"

func Release(x *pool.T) { pool.Put(x) }
-- app/app.go --
package app

import (
	"example.com/m/pool"
	"example.com/m/wrap"
)

func F() {
	x := pool.Get()
	pool.Put(x)
	wrap.Release(x)
}
-- app/app_test.go --
package app

import "example.com/m/pool"

func inTest() { pool.Put(nil) }
-- other/other.go --
package other

import "example.com/m/pool"

func G() { pool.Put(nil) }
`

const (
	appFinding   = "app/app.go:11:2: x is put twice [double-put]\n"
	testFinding  = "app/app_test.go:5:17: nil is put [put-nil]\n"
	otherFinding = "other/other.go:5:12: nil is put [put-nil]\n"
)

// What was analysed as a dependency before is reported when it is asked for, and what
// was asked for before is not when it is a dependency.
func TestDependencyFirst(t *testing.T) {
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0
-- pool/pool.go --
package pool

type T struct{ N int }

func Get() *T { return new(T) }
func Put(*T)  {}
-- lib/lib.go --
package lib

import "example.com/m/pool"

func G() { pool.Put(nil) }
-- use/use.go --
package use

import "example.com/m/lib"

func H() { lib.G() }
`)
	const finding = "lib/lib.go:5:12: nil is put [put-nil]\n"
	for _, tt := range []struct {
		arg  string
		exit int
		want string
	}{
		{"./use", 0, ""},
		{"./lib", 1, finding},
		{"./use", 0, ""},
		{"./...", 1, finding},
	} {
		exit, stdout, stderr := vet(t, tt.arg)
		if exit != tt.exit || stdout != "" || stderr != tt.want {
			t.Errorf("%s: exit %d, stdout %q, stderr\n%s\nwant exit %d\n%s", tt.arg, exit, stdout, stderr, tt.exit, tt.want)
		}
	}
}

// A dependency is reported as it may be asked for later, but for one that has tests of its
// own: what is asked for is then the package with those, which is another. Whatever the
// tests are, what is asked for is reported once.
func TestDependencyWithTests(t *testing.T) {
	const finding = "lib/lib.go:5:12: nil is put [put-nil]\n"
	for name, tt := range map[string]struct {
		file, text string
		dependency bool // whether the report is also of the dependency
	}{
		"none":       {"none.txt", "", true},
		"own":        {"lib_test.go", "package lib\n", false},
		"external":   {"lib_test.go", "package lib_test\n", true},
		"tagged":     {"lib_test.go", "//go:build never\n\npackage lib\n", true},
		"otherwhere": {"lib_plan9_test.go", "package lib\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			module(t, `
-- go.mod --
module example.com/m

go 1.26.0
-- pool/pool.go --
package pool

func Put(*int) {}
-- lib/lib.go --
package lib

import "example.com/m/pool"

func G() { pool.Put(nil) }
-- use/use.go --
package use

import "example.com/m/lib"

func H() { lib.G() }
-- lib/`+tt.file+` --
`+tt.text)
			exit, stdout, stderr := goVet(t, "-json", "-deps", "./use")
			if reported := strings.Contains(stdout, "put-nil"); exit != 0 || reported != tt.dependency {
				t.Errorf("as a dependency: exit %d, reported: %t, want %t\n%s%s", exit, reported, tt.dependency, stdout, stderr)
			}
			for range 2 {
				if exit, stdout, stderr := vet(t, "./lib"); exit != 1 || stdout != "" || stderr != finding {
					t.Errorf("asked for: exit %d, stdout %q, stderr %q, want %q", exit, stdout, stderr, finding)
				}
			}
		})
	}
}

// TestOtherModule asks for a package of another module after it was analysed as a dependency, for its facts
// alone: what it has to report was not lost with that.
func TestOtherModule(t *testing.T) {
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0

require example.com/dep v1.0.0

replace example.com/dep => ./dep
-- use/use.go --
package use

import "example.com/dep/lib"

func H() { lib.G() }
-- dep/go.mod --
module example.com/dep

go 1.26.0
-- dep/pool/pool.go --
package pool

func Put(*int) {}
-- dep/lib/lib.go --
package lib

import "example.com/dep/pool"

func G() { pool.Put(nil) }
`)
	if exit, stdout, stderr := vet(t, "./..."); exit != 0 || stdout != "" || stderr != "" {
		t.Errorf("as a dependency: exit %d, stdout %q, stderr %q", exit, stdout, stderr)
	}
	const finding = "dep/lib/lib.go:5:12: nil is put [put-nil]\n"
	for _, packages := range [][]string{{"example.com/dep/lib"}, {"./...", "example.com/dep/lib"}} {
		if exit, stdout, stderr := vet(t, packages...); exit != 1 || stdout != "" || stderr != finding {
			t.Errorf("%q: exit %d, stdout %q, stderr %q, want %q", packages, exit, stdout, stderr, finding)
		}
	}
}

func TestText(t *testing.T) {
	module(t, fixture)
	for _, tt := range []struct {
		args []string
		exit int
		want string
	}{
		// Findings come in the order of files and lines, whatever the packages.
		{[]string{"./..."}, 1, appFinding + "app/app.go:10:2: \tfirst put\n" + testFinding + otherFinding},
		{[]string{"./other", "./app"}, 1, appFinding + "app/app.go:10:2: \tfirst put\n" + testFinding + otherFinding},
		{[]string{"-related=indent", "./..."}, 1, appFinding + "\tapp/app.go:10:2: first put\n" + testFinding + otherFinding},
		{[]string{"-related=none", "./..."}, 1, appFinding + testFinding + otherFinding},
		{[]string{"-related=none", "-tests=false", "./..."}, 1, appFinding + otherFinding},
		{[]string{"-related=none", "-only=put-nil", "./..."}, 1, testFinding + otherFinding},
		{[]string{"-related=none", "-only=put-nil,double-put", "-skip", "put-nil", "./..."}, 1, appFinding},
		{[]string{"-related=none", "-skip=put-nil", "-tests=false", "./..."}, 1, appFinding},
		{[]string{"-only=stack-alias", "./..."}, 0, ""},
		{[]string{"./pool", "./wrap"}, 0, ""},
	} {
		exit, stdout, stderr := vet(t, tt.args...)
		if exit != tt.exit || stdout != "" || stderr != tt.want {
			t.Errorf("%q: exit %d, stdout %q, stderr\n%s\nwant exit %d\n%s", tt.args, exit, stdout, stderr, tt.exit, tt.want)
		}
	}
}

// TestHere runs in a package's directory without arguments, as go vet does.
func TestHere(t *testing.T) {
	dir := module(t, fixture)
	t.Chdir(filepath.Join(dir, "other"))
	if exit, _, stderr := vet(t); exit != 1 || stderr != "other.go:5:12: nil is put [put-nil]\n" {
		t.Errorf("exit %d:\n%s", exit, stderr)
	}
}

func TestBadCommand(t *testing.T) {
	module(t, fixture)
	for _, tt := range []struct {
		args []string
		want string // in the message
	}{
		{[]string{"-only=nonsense"}, `-only: unknown pattern "nonsense"`},
		{[]string{"-skip=put-nil,nonsense"}, `-skip: unknown pattern "nonsense"`},
		{[]string{"-only="}, `-only: "" names no pattern; name one or more`},
		{[]string{"-only", ","}, `-only: "," names no pattern; name one or more`},
		{[]string{"-only", " , ,"}, `-only: " , ," names no pattern`},
		{[]string{"-skip="}, `-skip: "" names no pattern; name one or more`},
		{[]string{"-skip", ",", "./..."}, `-skip: "," names no pattern; name one or more`},
		{[]string{"-only=put-nil", "-skip="}, `-skip: "" names no pattern`},
		{[]string{"-only=", "-only=put-nil,", "-skip=,", "./..."}, `-skip: "," names no pattern`},
		{[]string{"-only=put-nil", "-skip=double-put,put-nil"}, `-skip: "double-put,put-nil" leaves no pattern to report`},
		{[]string{"-sarif=", "./pool"}, `-sarif: no file is named; name one`},
		{[]string{"-sarif", "", "-only=put-nil"}, `-sarif: no file is named; name one`},
		{[]string{"-nonsense"}, "-nonsense"},
		{[]string{"./...", "-json"}, "flag -json must come before the packages"},
		{[]string{"-related=nonsense"}, `-related: unknown style "nonsense"`},
		{[]string{"-diff", "-json"}, "-diff and -json"},
		{[]string{"-sarif=-", "-json"}, "-sarif -"},
		{[]string{"./nonsense"}, "nonsense"},
		{[]string{"example.com/nonsense"}, "example.com/nonsense"},
		{[]string{"-sarif=no/such/folder/x.sarif", "./pool"}, "no/such/folder"},
	} {
		exit, stdout, stderr := vet(t, tt.args...)
		if exit != 2 || stdout != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: exit %d, stdout %q, stderr %q; want exit 2 and %q", tt.args, exit, stdout, stderr, tt.want)
		}
	}
	if exit, stdout, _ := vet(t, "-h"); exit != 0 || !strings.HasPrefix(stdout, "usage: spare vet ") {
		t.Errorf("-h: exit %d, %q", exit, stdout)
	}
}

// TestBrokenPackage has two packages that do not build. They are named, the
// findings of the others are shown, and no SARIF file claims a whole run.
func TestBrokenPackage(t *testing.T) {
	module(t, fixture+`
-- broken/broken.go --
package broken

func f() { undeclared() }
-- another/another.go --
package another

import "example.com/m/broken"

var _ = broken.Missing
`)
	exit, _, stderr := vet(t, "-related=none", "-sarif=out.sarif", "./...")
	if exit != 2 {
		t.Errorf("exit %d", exit)
	}
	for _, want := range []string{
		appFinding, testFinding, otherFinding,
		"broken/broken.go:3:12: undefined: undeclared",
		"not analysed: ", "example.com/m/broken", "(out.sarif was not written)",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in\n%s", want, stderr)
		}
	}
	if _, err := os.Stat("out.sarif"); !os.IsNotExist(err) {
		t.Errorf("out.sarif: %v", err)
	}
	if exit, _, again := vet(t, "-related=none", "-sarif=out.sarif", "./..."); exit != 2 || again != stderr {
		t.Errorf("again: exit %d,\n%s\nwant\n%s", exit, again, stderr)
	}
	exit, stdout, _ := vet(t, "-json", "./...")
	if exit != 2 || !json.Valid([]byte(stdout)) || !strings.Contains(stdout, "x is put twice") {
		t.Errorf("-json: exit %d\n%s", exit, stdout)
	}
}

// TestBrokenAnalyzer has an analyzer that fails and one that panics, each in
// one package.
func TestBrokenAnalyzer(t *testing.T) {
	for _, name := range []string{"fails", "panics"} {
		module(t, fixture+"\n-- broken/broken.go --\npackage broken\n\nfunc "+name+"() {}\n")
		exit, _, stderr := vet(t, "-related=none", "-sarif=out.sarif", "./...")
		if exit != 2 {
			t.Errorf("%s: exit %d", name, exit)
		}
		for _, want := range []string{appFinding, otherFinding, "example.com/m/broken", "the analyzer " + name[:4], "(out.sarif was not written)"} {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: no %q in\n%s", name, want, stderr)
			}
		}
	}
}

func TestInterrupted(t *testing.T) {
	module(t, fixture)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	if exit := vetcmd.Run(ctx, &out, &errs, []string{"-json", "./..."}); exit != 130 || out.Len() > 0 {
		t.Errorf("exit %d, %s\n%s", exit, &out, &errs)
	}
}

// TestJSON compares the tree with those that go vet -json prints by itself.
func TestJSON(t *testing.T) {
	module(t, fixture)
	exit, stdout, stderr := vet(t, "-json", "./...")
	if exit != 1 || stderr != "" {
		t.Errorf("exit %d, stderr %q", exit, stderr)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	_, trees, _ := goVet(t, "-json", "./...")
	want := make(map[string]any)
	for d := json.NewDecoder(strings.NewReader(trees)); d.More(); {
		var tree map[string]any
		if err := d.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		maps.Copy(want, tree)
	}
	if a, b := marshal(t, got), marshal(t, want); a != b || len(got) != 2 {
		t.Errorf("spare vet -json:\n%s\ngo vet -json:\n%s", a, b)
	}
	exit, stdout, _ = vet(t, "-json", "-only=double-put", "./...")
	if exit != 1 || strings.Contains(stdout, "other") || !strings.Contains(stdout, "x is put twice") {
		t.Errorf("-only: exit %d\n%s", exit, stdout)
	}
	if exit, stdout, _ := vet(t, "-json", "./pool"); exit != 0 || stdout != "{}\n" {
		t.Errorf("clean: exit %d, %q", exit, stdout)
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSelectionKeepsCache changes what is shown, which must cost no analysis.
func TestSelectionKeepsCache(t *testing.T) {
	module(t, fixture)
	analyses := countAnalyses(t)
	vet(t, "./...")
	if n := analyses(); n != 4 {
		t.Errorf("cold: %d analyses, want one for each of 4 packages", n)
	}
	for _, args := range [][]string{{"./..."}, {"-json", "./..."}, {"-only=put-nil", "./..."}, {"-tests=false", "./app"}, {"-diff", "./app"}} {
		vet(t, args...)
		if n := analyses(); n != 0 {
			t.Errorf("%q: %d analyses, want 0", args, n)
		}
	}
	// A change of wrap reaches the packages that import it, and no others.
	if err := os.WriteFile("wrap/wrap.go", []byte(strings.Replace(read(t, "wrap/wrap.go"), "pool.Put(x)", "_ = x", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if exit, _, stderr := vet(t, "-related=none", "./..."); exit != 1 || stderr != testFinding+otherFinding {
		t.Errorf("wrap.Release puts no more: exit %d\n%s", exit, stderr)
	}
	if n := analyses(); n != 2 {
		t.Errorf("after an edit of wrap: %d analyses, want those of wrap and app", n)
	}
}

// TestCacheKeys has go vet with the tool and spare vet keep results of their own
// in one cache, as do calls of spare vet that name dependencies, and no others.
func TestCacheKeys(t *testing.T) {
	module(t, fixture)
	analyses := countAnalyses(t)
	for _, tt := range []struct {
		name string
		run  func()
		want int
	}{
		{"spare vet", func() { vet(t, "./other") }, 2},
		{"go vet", func() { goVet(t, "./other") }, 2},
		{"spare vet again", func() { vet(t, "./other") }, 0},
		{"go vet again", func() { goVet(t, "./other") }, 0},
		{"go vet -only", func() { goVet(t, "-only=put-nil", "./other") }, 2},
		{"spare vet with the standard library", func() { vet(t, "./other", "unsafe") }, 2},
	} {
		tt.run()
		if n := analyses(); n != tt.want {
			t.Errorf("%s: %d analyses, want %d", tt.name, n, tt.want)
		}
	}
}

// TestDeterminism compares all output of cold and warm runs, with one and two
// processes, in caches of their own.
func TestDeterminism(t *testing.T) {
	module(t, fixture)
	type output struct{ text, json, sarif string }
	var first output
	for i, flags := range []string{"-p=1", "-p=2", "-p=8"} {
		t.Setenv("GOFLAGS", "-mod=mod "+flags)
		t.Setenv("GOCACHE", t.TempDir())
		for _, state := range []string{"cold", "warm"} {
			var o output
			_, _, o.text = vet(t, "./...")
			_, o.json, _ = vet(t, "-json", "./...")
			_, o.sarif, _ = vet(t, "-sarif=-", "./...")
			if i == 0 && state == "cold" {
				first = o
			} else if o != first {
				t.Errorf("%s, %s: the output differs:\n%+v\nfirst:\n%+v", flags, state, o, first)
			}
		}
	}
	if !strings.Contains(first.text, appFinding) || !strings.Contains(first.sarif, "x is put twice") {
		t.Errorf("no finding in %+v", first)
	}
}

// TestSharedCache is two machines of a team: each with its own build cache,
// and one cache behind GOCACHEPROG. What one has analysed the other does not
// analyse again.
func TestSharedCache(t *testing.T) {
	module(t, fixture)
	analyses := countAnalyses(t)
	t.Setenv("GOCACHEPROG", self(t)+" -as-cacheprog "+t.TempDir())
	want := appFinding + testFinding + otherFinding
	for i, analysed := range []int{4, 0, 0} {
		t.Setenv("GOCACHE", t.TempDir())
		if exit, _, stderr := vet(t, "-related=none", "./..."); exit != 1 || stderr != want {
			t.Errorf("machine %d: exit %d\n%s", i, exit, stderr)
		}
		if n := analyses(); n != analysed {
			t.Errorf("machine %d: %d analyses, want %d", i, n, analysed)
		}
	}
}

// TestSharedCacheSuite is the same with spare's own analyzers, whose facts lead
// from the pool to its user.
func TestSharedCacheSuite(t *testing.T) {
	if testing.Short() || underrace.Enabled() {
		t.Skip("builds and analyses what sync imports for three machines")
	}
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0
-- bufs/bufs.go --
package bufs

import "sync"

type Buf struct{ N int }

var pool = sync.Pool{New: func() any { return new(Buf) }}

func Take() *Buf  { return pool.Get().(*Buf) }
func Give(b *Buf) { *b = Buf{}; pool.Put(b) }
-- app/app.go --
package app

import "example.com/m/bufs"

func Count() int {
	b := bufs.Take()
	bufs.Give(b)
	return b.N
}
`)
	t.Setenv(useSuite, "1")
	analyses := countAnalyses(t)
	t.Setenv("GOCACHEPROG", self(t)+" -as-cacheprog "+t.TempDir())
	var first string
	for machine := range 3 {
		t.Setenv("GOCACHE", t.TempDir())
		exit, stdout, stderr := vet(t, "-json", "./...")
		if exit != 1 || stderr != "" || !strings.Contains(stdout, "use-after-put") || !strings.Contains(stdout, "app.go:8:") {
			t.Fatalf("machine %d: exit %d, %s\n%s", machine, exit, stderr, stdout)
		}
		n := analyses()
		if machine == 0 {
			if first = stdout; n == 0 {
				t.Error("the first machine analysed nothing: the count cannot be right")
			}
			continue
		}
		if n != 0 {
			t.Errorf("machine %d: %d analyses, want none", machine, n)
		}
		if stdout != first {
			t.Errorf("machine %d: the output differs:\n%s\nfirst:\n%s", machine, stdout, first)
		}
	}
}

// What a package with tests of its own does to what it is given, those who import it know.
func TestFactsOfDependencyWithTests(t *testing.T) {
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0
-- pool/pool.go --
package pool

import "sync"

type B struct{ N int }

var p = sync.Pool{New: func() any { return new(B) }}

func Get() *B { return p.Get().(*B) }

func Free(b *B) { b.N = 0; give(b) }

func give(b *B) { p.Put(b) }
-- pool/pool_test.go --
package pool
-- app/app.go --
package app

import "example.com/m/pool"

func F() int {
	b := pool.Get()
	pool.Free(b)
	return b.N
}
`)
	t.Setenv(useSuite, "1")
	exit, stdout, stderr := vet(t, "./app")
	if exit != 1 || stdout != "" || strings.Count(stderr, "[") != 1 || !strings.HasPrefix(stderr, "app/app.go:8:11: b is read after it was put in p (line 7) [use-after-put]\n") {
		t.Errorf("exit %d, stdout %q, stderr %q, want one use-after-put at app/app.go:8:11", exit, stdout, stderr)
	}
}

// TestSharedCheckouts has two checkouts at different places share a cache,
// which -trimpath allows: the second must name its own files.
func TestSharedCheckouts(t *testing.T) {
	root := t.TempDir()
	analyses := countAnalyses(t)
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -trimpath")
	t.Setenv("GOCACHEPROG", self(t)+" -as-cacheprog "+t.TempDir())
	for i, name := range []string{"first", "second"} {
		dir := filepath.Join(root, name)
		writeModule(t, dir, fixture)
		writeModule(t, dir, "-- root.go --\npackage m\n\nimport \"example.com/m/pool\"\n\nfunc H() { pool.Put(nil) }\n")
		t.Chdir(dir)
		t.Setenv("GOCACHE", t.TempDir())
		exit, stdout, stderr := vet(t, "-json", "./...")
		if exit != 1 || stderr != "" {
			t.Errorf("%s: exit %d, %s", name, exit, stderr)
		}
		var tree vetcmd.Tree
		if err := json.Unmarshal([]byte(stdout), &tree); err != nil {
			t.Fatal(err)
		}
		found := tree.Findings()
		if len(found) != 4 {
			t.Errorf("%s: %d findings, want 4", name, len(found))
		}
		for _, d := range found {
			files := []string{d.Posn, d.End}
			for _, r := range d.Related {
				files = append(files, r.Posn, r.End)
			}
			for _, fix := range d.SuggestedFixes {
				for _, e := range fix.Edits {
					files = append(files, e.Filename)
				}
			}
			for _, f := range files {
				if !strings.HasPrefix(f, dir+string(filepath.Separator)) {
					t.Errorf("%s: %s is not below %s", name, f, dir)
				}
			}
		}
		if n, want := analyses(), []int{5, 0}[i]; n != want {
			t.Errorf("%s: %d analyses, want %d", name, n, want)
		}
	}
	if exit, _, stderr := vet(t, "-fix", "-only=double-put", "./..."); exit != 0 {
		t.Errorf("-fix: exit %d\n%s", exit, stderr)
	}
	if strings.Contains(read(t, "app/app.go"), "Release") || !strings.Contains(read(t, "../first/app/app.go"), "Release") {
		t.Error("-fix did not change the file of this checkout alone")
	}
}

// TestGoVet runs the tool under go vet itself.
func TestGoVet(t *testing.T) {
	module(t, fixture)
	exit, _, stderr := goVet(t, "./app")
	if want := appFinding + "app/app.go:10:2: \tfirst put\n" + testFinding; exit != 1 || stderr != want {
		t.Errorf("exit %d\n%s\nwant\n%s", exit, stderr, want)
	}
	for _, args := range [][]string{{"-only=double-put", "-tests=false"}, {"-skip=double-put"}, {"-tests=false"}} {
		exit, _, stderr := goVet(t, append(args, "./app")...)
		if got, want := strings.Contains(stderr, "put twice"), args[0] != "-skip=double-put"; exit != 1 || got != want {
			t.Errorf("%q: exit %d\n%s", args, exit, stderr)
		}
		if got, want := strings.Contains(stderr, "nil is put"), slices.Contains(args, "-skip=double-put"); got != want {
			t.Errorf("%q:\n%s", args, stderr)
		}
	}
	// One line, for the package that was asked for: not for each dependency, and no usage.
	for flag, want := range map[string]string{
		"-only=nonsense":         `-only: unknown pattern "nonsense"; 'spare help vet' lists them`,
		"-skip=put-nil,nonsense": `-skip: unknown pattern "nonsense"; 'spare help vet' lists them`,
		"-only=":                 `-only: "" names no pattern; name one or more ('spare help vet' lists them), or leave -only out`,
		"-skip=,":                `-skip: "," names no pattern; name one or more ('spare help vet' lists them), or leave -skip out`,
	} {
		want = "# example.com/m/other\nspare: " + want + "\n"
		if exit, stdout, stderr := goVet(t, flag, "./other"); exit == 0 || stdout != "" || stderr != want {
			t.Errorf("%s: exit %d, %q\n%s\nwant\n%s", flag, exit, stdout, stderr, want)
		}
	}
	exit, stdout, _ := goVet(t, "-fix", "-diff", "./app")
	if exit != 1 || !strings.Contains(stdout, "\n-\twrap.Release(x)\n") {
		t.Errorf("-fix -diff: exit %d\n%s", exit, stdout)
	}
	if exit, _, stderr := goVet(t, "-fix", "./app"); exit != 0 || strings.Contains(read(t, "app/app.go"), "Release") {
		t.Errorf("-fix: exit %d, %s\n%s", exit, stderr, read(t, "app/app.go"))
	}
}

func TestIsTool(t *testing.T) {
	for _, tt := range []struct {
		args string
		want bool
	}{
		{"-V=full", true},
		{"-flags", true},
		{"unit.cfg", true},
		{"-json /tmp/b1/vet.cfg", true},
		{"-json -only=put-nil vet.cfg", true},
		{"", false},
		{"vet", false},
		{"vet -json", false},
		{"vet -flags", false},
		{"bench x.cfg", false},
		{"report -o x.cfg", false},
	} {
		if got := vetcmd.IsTool(strings.Fields(tt.args)); got != tt.want {
			t.Errorf("IsTool(%q) = %v", tt.args, got)
		}
	}
}
