// SPDX-License-Identifier: BSD-3-Clause

package tryout_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/rewrite"
	"github.com/spare-go/spare/tools/internal/tryout"
	"github.com/spare-go/spare/tools/internal/underrace"
)

// A tree is a copy of testdata/mod.
type tree struct {
	dir  string
	file string // app.go
	tmp  string // TMPDIR
}

// notUnderRace skips what only builds and runs other programs, which are not built with -race.
func notUnderRace(t *testing.T) {
	t.Helper()
	if underrace.Enabled() {
		t.Skip("TestTry and TestInterrupt show the race detector the same")
	}
}

// newTree copies the module, and checks at the end of the test that it is as it
// was, and that no temporary file is left.
func newTree(t *testing.T, more ...func(dir string)) *tree {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs tests")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "mod"))); err != nil {
		t.Fatal(err)
	}
	for _, f := range more {
		f(dir)
	}
	tr := &tree{dir: dir, file: filepath.Join(dir, "app.go"), tmp: t.TempDir()}
	t.Setenv("TMPDIR", tr.tmp)
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	before := tr.hash(t)
	t.Cleanup(func() {
		if after := tr.hash(t); after != before {
			t.Error("the user's tree changed")
		}
		entries, err := os.ReadDir(tr.tmp)
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			t.Errorf("left behind: %s", e.Name())
		}
	})
	return tr
}

// hash covers names, modes, times and contents of everything in the tree.
func (tr *tree) hash(t *testing.T) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(tr.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(h, path, info.Mode(), info.ModTime().UnixNano(), info.Size())
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		h.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// change proposes the change of the buffer in app.go.
func (tr *tree) change(t *testing.T) *rewrite.Change {
	t.Helper()
	pkgs, err := rewrite.Load(t.Context(), tr.dir, nil, nil, ".")
	if err != nil {
		t.Fatal(err)
	}
	c, err := rewrite.Propose(pkgs[0], rewrite.Site{File: tr.file, Line: 12})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// edited is a change that replaces a part of app.go.
func (tr *tree) edited(t *testing.T, old, new string) *rewrite.Change {
	t.Helper()
	src, err := os.ReadFile(tr.file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(src), old) {
		t.Fatalf("app.go has no %q", old)
	}
	return &rewrite.Change{
		Site: rewrite.Site{File: tr.file, Line: 12}, Kind: "test", Summary: "a change of the test",
		Files: map[string][]byte{tr.file: []byte(strings.Replace(string(src), old, new, 1))},
		Old:   map[string][]byte{tr.file: src}, Imports: []string{rewrite.SpareModule},
	}
}

func options(t *testing.T) tryout.Options {
	t.Helper()
	p, err := gotest.ParsePattern(".")
	if err != nil {
		t.Fatal(err)
	}
	return tryout.Options{Bench: p, Count: 6, Benchtime: "500x", TestTimeout: 2 * time.Minute}
}

func TestTry(t *testing.T) {
	tr := newTree(t)
	c := tr.change(t)
	r, err := tryout.Run(t.Context(), tr.dir, nil, c, options(t))
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() || !r.TestsPass || r.Err != nil {
		t.Fatalf("failed: %v\n%s", r.Err, r.TestOutput)
	}
	if want := []string{"example.com/app"}; len(r.Packages) != 1 || r.Packages[0] != want[0] {
		t.Errorf("packages %q, want %q: the other does not depend on the change", r.Packages, want)
	}
	const name = "example.com/app.BenchmarkLine"
	before, after := r.Before[name], r.After[name]
	if !r.Exact {
		t.Fatalf("counts are not exact: %q", r.Notes)
	}
	// A bytes.Buffer that is given 4003 bytes at once holds 4096, or what the
	// versions of Go make of it; the pooled one allocates nothing when warm.
	if before.Bytes < 4003 || before.Allocs < 1 {
		t.Errorf("before: %v B/op, %v allocs/op, want at least 4003 and 1", before.Bytes, before.Allocs)
	}
	if before.Allocs-after.Allocs < 0.9 || after.Bytes > before.Bytes/4 {
		t.Errorf("after: %v B/op, %v allocs/op; before: %v and %v", after.Bytes, after.Allocs, before.Bytes, before.Allocs)
	}
	if n := r.Ratios[name].CPU.N; runtime.GOOS == "linux" && n != 6 {
		t.Errorf("the CPU ratio has %d pairs, want 6", n)
	}
	saved, ok := r.Saved(name)
	if !ok || saved.Bytes[0] < 0.75 || saved.Bytes[0] > 1 {
		t.Errorf("saved %v, %v: want a fraction of bytes near 1", saved, ok)
	}

	var text, patch bytes.Buffer
	predicted := map[string]tryout.Saving{name: {Bytes: [2]float64{0.9, 1}, CPU: [2]float64{0.1, 0.3}}}
	if err := tryout.WriteText(&text, r, predicted); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"app.go:12: the bytes.Buffer b becomes", "tests of 1 package pass", "BenchmarkLine", "-> ", "-10.0% to -30.0%"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the text lacks %q:\n%s", part, text.String())
		}
	}
	if err := tryout.WriteDiff(&patch, tr.dir, c); err != nil {
		t.Fatal(err)
	}
	applied := t.TempDir()
	if err := os.CopyFS(applied, os.DirFS(tr.dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("git"); err == nil {
		cmd := exec.Command("git", "apply", "-p1", "-")
		cmd.Dir, cmd.Stdin = applied, &patch
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v\n%s", err, out)
		}
		got, err := os.ReadFile(filepath.Join(applied, "app.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, c.Files[tr.file]) {
			t.Errorf("the patch gives\n%s\nwant\n%s", got, c.Files[tr.file])
		}
	}
}

// TestFailedTries covers changes that break something. None of them is an error
// of Run: the try took place.
func TestFailedTries(t *testing.T) {
	notUnderRace(t)
	for _, tt := range []struct {
		name, old, new string
		tests          bool // whether ErrTestsFail is wrapped
		err, output    string
	}{
		{"test", "key, value)", "value, key)", true, "TestLine in example.com/app", "--- FAIL: TestLine"},
		{"build", "_, err := w.Write", "err := w.Write", false, "does not build", "assignment mismatch"},
		{
			// The tests pass; the checked build sees the use after Release.
			"misuse", "	var b bytes.Buffer\n	fmt.Fprintf(&b, \"%s=%s\\n\", key, value)\n	_, err := w.Write(b.Bytes())",
			"	b := buffer.Get()\n	fmt.Fprintf(b, \"%s=%s\\n\", key, value)\n	_, err := w.Write(b.Bytes())\n	b.Release()\n	b.Len()",
			true, "checked build", "buffer",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTree(t)
			c := tr.edited(t, tt.old, tt.new)
			if tt.name == "misuse" {
				c.Files[tr.file] = bytes.Replace(c.Files[tr.file], []byte("\"bytes\"\n"), []byte("\"github.com/spare-go/spare/buffer\"\n"), 1)
			}
			r, err := tryout.Run(t.Context(), tr.dir, nil, c, options(t))
			if err != nil {
				t.Fatal(err)
			}
			if !r.Failed() || r.TestsPass || r.Err == nil {
				t.Fatalf("not failed: tests pass %v, error %v", r.TestsPass, r.Err)
			}
			if errors.Is(r.Err, tryout.ErrTestsFail) != tt.tests || !strings.Contains(r.Err.Error(), tt.err) {
				t.Errorf("error %v, want one with %q", r.Err, tt.err)
			}
			if !strings.Contains(r.TestOutput, tt.output) {
				t.Errorf("output lacks %q:\n%s", tt.output, r.TestOutput)
			}
			if len(r.Before) != 0 {
				t.Error("a failed try measured something")
			}
			var text bytes.Buffer
			if err := tryout.WriteText(&text, r, nil); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text.String(), "the try failed") || !strings.Contains(text.String(), tt.err) {
				t.Errorf("the text does not say so:\n%s", text.String())
			}
		})
	}
}

// TestFailsAnyway has a test that fails without the change too: it does not
// count, and is named.
func TestFailsAnyway(t *testing.T) {
	notUnderRace(t)
	tr := newTree(t)
	t.Setenv("APP_TEST_BROKEN", "1")
	o := options(t)
	o.NoBench = true
	r, err := tryout.Run(t.Context(), tr.dir, nil, tr.change(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() {
		t.Errorf("failed: %v", r.Err)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "TestBroken in example.com/app") {
		t.Errorf("the notes do not name the test that fails anyway: %q", notes)
	}
}

// TestInterrupt ends a try in the middle of the user's tests; newTree checks
// what is left.
func TestInterrupt(t *testing.T) {
	tr := newTree(t)
	c := tr.change(t)
	mark := filepath.Join(t.TempDir(), "running")
	t.Setenv("APP_TEST_SLOW", mark)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(mark); err == nil {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	r, err := tryout.Run(ctx, tr.dir, nil, c, options(t))
	if !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("got %v, %v, want no result and context.Canceled", r, err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error("the interrupt came before the tests ran")
	}
}

func TestWrongInput(t *testing.T) {
	notUnderRace(t)
	tr := newTree(t)
	c := tr.change(t)
	o := options(t)
	o.Spare = t.TempDir()
	if _, err := tryout.Run(t.Context(), tr.dir, nil, c, o); err == nil || !strings.Contains(err.Error(), "-spare") || !strings.Contains(err.Error(), o.Spare) {
		t.Errorf("a directory without spare: %v, want an error that names the flag and the directory", err)
	}
	if _, err := tryout.Run(t.Context(), tr.dir, []string{"./inner"}, c, options(t)); err == nil || !strings.Contains(err.Error(), "example.com/app") {
		t.Errorf("packages that do not depend on the change: %v, want an error that names the changed package", err)
	}
	if _, err := tryout.Run(t.Context(), tr.dir, []string{"./nowhere"}, c, options(t)); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a package that is not there: %v, want an error that names it", err)
	}
	t.Run("module cache", func(t *testing.T) {
		t.Setenv("GOMODCACHE", tr.dir)
		if _, err := tryout.Run(t.Context(), tr.dir, nil, c, options(t)); err == nil || !strings.Contains(err.Error(), "module cache") || !strings.Contains(err.Error(), "app.go") {
			t.Errorf("a file of the module cache: %v, want an error that says so and names it", err)
		}
	})
	c.Old = map[string][]byte{tr.file: []byte("package other\n")}
	if _, err := tryout.Run(t.Context(), tr.dir, nil, c, options(t)); err == nil || !strings.Contains(err.Error(), "app.go") {
		t.Errorf("a file that changed meanwhile: %v, want an error that names it", err)
	}
}

// TestWorkspace has a user with a workspace of two modules. One of them is of a
// language version in which the variable of a loop is one for all turns: its
// tests see whether the change's workspace makes it another language.
func TestWorkspace(t *testing.T) {
	notUnderRace(t)
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tr := newTree(t, func(dir string) {
		write(dir, "go.work", "go 1.24\n\nuse (\n\t.\n\t./other\n)\n\nreplace example.com/nowhere => ./nowhere\n")
		write(dir, "nowhere/go.mod", "module example.com/nowhere\n\ngo 1.24\n")
		write(dir, "nowhere/nowhere.go", "// Package nowhere is reached by a replacement.\npackage nowhere\n\nconst Is = true\n")
		write(dir, "other/go.mod", "module example.com/other\n\ngo 1.21\n\nrequire (\n\texample.com/app v0.0.0\n\texample.com/nowhere v0.0.0\n)\n")
		write(dir, "other/other_test.go", `package other

import (
	"io"
	"testing"

	"example.com/app"
	"example.com/nowhere"
)

func TestLoop(t *testing.T) {
	notUnderRace(t)
	var last []*int
	for i := 0; i < 3; i++ {
		last = append(last, &i)
	}
	if *last[0] != 3 || !nowhere.Is || app.Line(io.Discard, "k", "v") != nil {
		t.Errorf("the first turn's variable is %d, want 3 as in Go 1.21", *last[0])
	}
}
`)
	})
	t.Setenv("GOWORK", filepath.Join(tr.dir, "go.work"))
	o := options(t)
	o.NoBench = true
	r, err := tryout.Run(t.Context(), tr.dir, []string{"./...", "./other/..."}, tr.change(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() {
		t.Errorf("failed: %v\n%s", r.Err, r.TestOutput)
	}
	if got := strings.Join(r.Packages, " "); got != "example.com/app example.com/other" {
		t.Errorf("tested %s, want the package of the change and the one that depends on it", got)
	}
}
