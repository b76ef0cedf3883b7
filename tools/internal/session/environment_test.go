// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/measure"
)

func TestModules(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	sub := filepath.Join(root, "in", "side")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	pkgs := []gotest.Package{{ImportPath: "fmt"}, {ImportPath: "m/in", Module: "m", ModuleDir: root}, {ImportPath: "m", Module: "m", ModuleDir: root}}

	// What is not in a repository has no commit, and that is no error.
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(resolved(root)))
	if got := modules(t.Context(), sub, pkgs); len(got) != 1 || got[0] != (Module{Path: "m", Subdir: "in/side"}) {
		t.Errorf("%+v, want m without a commit", got)
	}

	file := filepath.Join(root, "a.txt")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a")
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "a.txt"},
		{"-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "m"},
	} {
		if out, err := git(t.Context(), root, args...); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "page.html"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	got := modules(t.Context(), root, pkgs)
	if len(got) != 1 || len(got[0].Commit) < 4 || got[0].Dirty || got[0].Subdir != "." {
		t.Errorf("%+v, want a clean commit", got)
	}
	write("b")
	if got := modules(t.Context(), filepath.Dir(root), pkgs); len(got) != 1 || !got[0].Dirty || got[0].Subdir != "" {
		t.Errorf("%+v, want a dirty commit, from outside", got)
	}
}

func TestBusy(t *testing.T) {
	for _, tt := range []struct {
		load  Load
		procs int
		want  bool
	}{
		{Load{0.5, 1.5, true}, 1, false},
		{Load{0.5, 2.5, true}, 1, true},
		{Load{0.5, 2.5, true}, 2, false},
		{Load{2.5, 1, true}, 1, true},
		{Load{9, 9, false}, 1, false},
		{Load{0, 6, true}, 64, true}, // there are 4 CPUs
	} {
		r := &Result{NumCPU: 4, Load: tt.load, Series: []*measure.Series{{Case: &measure.Case{Procs: tt.procs}}}}
		if got := r.Busy(); got != tt.want {
			t.Errorf("Busy at %+v with GOMAXPROCS=%d is %v", tt.load, tt.procs, got)
		}
	}
}
