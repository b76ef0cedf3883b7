// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const fixed = `package app

import (
	"example.com/m/pool"
)

func F() {
	x := pool.Get()
	pool.Put(x)
}
`

func TestFix(t *testing.T) {
	module(t, fixture)
	if err := os.Chmod("app/app.go", 0o640); err != nil {
		t.Fatal(err)
	}
	exit, stdout, stderr := vet(t, "-fix", "./...")
	want := "spare vet: fixes applied: 1, files changed: 1\n" + testFinding + otherFinding
	if exit != 1 || stdout != "" || stderr != want {
		t.Errorf("exit %d, %q\n%s\nwant\n%s", exit, stdout, stderr, want)
	}
	// The import of wrap, which the fix left without a use, is gone too.
	if got := read(t, "app/app.go"); got != fixed {
		t.Errorf("app.go:\n%s", got)
	}
	if info, err := os.Stat("app/app.go"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode: %v, %v", info.Mode(), err)
	}
	if exit, _, stderr := vet(t, "-fix", "-skip=put-nil", "./..."); exit != 0 || stderr != "" {
		t.Errorf("nothing left to fix: exit %d\n%s", exit, stderr)
	}
}

// TestFixSelected leaves alone what is not selected.
func TestFixSelected(t *testing.T) {
	module(t, fixture)
	before := read(t, "app/app.go")
	if exit, _, stderr := vet(t, "-fix", "-skip=double-put", "./..."); exit != 1 || stderr != testFinding+otherFinding {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
	if read(t, "app/app.go") != before {
		t.Error("app.go was changed")
	}
}

func TestDiff(t *testing.T) {
	module(t, fixture)
	before := read(t, "app/app.go")
	exit, stdout, stderr := vet(t, "-diff", "./...")
	if exit != 1 || stderr != testFinding+otherFinding {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
	if read(t, "app/app.go") != before {
		t.Error("-diff changed the file")
	}
	for _, want := range []string{"--- a/app/app.go\n+++ b/app/app.go\n", "\n-\twrap.Release(x)\n", "\n-\t\"example.com/m/wrap\"\n"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch command to try the patch with")
	}
	cmd := exec.Command(patch, "-p1")
	cmd.Stdin = strings.NewReader(stdout)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("patch: %v\n%s", err, out)
	}
	if got := read(t, "app/app.go"); got != fixed {
		t.Errorf("after patch:\n%s", got)
	}
}

// TestFixRounds has fixes that overlap. They are applied one after the other,
// where go vet -fix applies none and asks to be run again, for ever.
func TestFixRounds(t *testing.T) {
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0
-- pool/pool.go --
package pool

func Put(*int) {}

func f(x *int) {
	Put(x)
	Put(x)
	Put(x)
	Put(x)
}
`)
	if exit, _, stderr := goVet(t, "-fix", "./..."); exit == 0 || strings.Count(read(t, "pool/pool.go"), "Put(x)") != 4 {
		t.Logf("go vet -fix (exit %d, %q) has learnt to apply fixes that overlap", exit, stderr)
	}
	exit, _, stderr := vet(t, "-fix", "./...")
	if exit != 0 || stderr != "spare vet: fixes applied: 3, files changed: 1\n" {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
	if got := read(t, "pool/pool.go"); strings.Count(got, "Put(x)") != 1 {
		t.Errorf("pool.go:\n%s", got)
	}
}

// TestFixThatBreaks puts the files back when a fix does not compile.
func TestFixThatBreaks(t *testing.T) {
	module(t, fixture+`
-- breaks/breaks.go --
package breaks

import "example.com/m/pool"

func f(breaker *pool.T) { pool.Put(breaker) }
`)
	before := read(t, "breaks/breaks.go")
	exit, _, stderr := vet(t, "-fix", "./...")
	if exit != 2 || !strings.Contains(stderr, "breaks the build; the files are as they were") || !strings.Contains(stderr, "example.com/m/breaks") {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
	if read(t, "breaks/breaks.go") != before || !strings.Contains(read(t, "app/app.go"), "Release") {
		t.Error("the files were not put back")
	}
}

// TestFixThatHelpsNothing applies such a fix once, not again and again.
func TestFixThatHelpsNothing(t *testing.T) {
	module(t, fixture+`
-- sticky/sticky.go --
package sticky

import "example.com/m/pool"

func f(sticky *pool.T) {
	pool.Put(sticky)
}
`)
	exit, _, stderr := vet(t, "-fix", "./sticky")
	if exit != 1 || !strings.Contains(stderr, "sticky is put") {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
	if got := read(t, "sticky/sticky.go"); strings.Count(got, "// mended") != 1 {
		t.Errorf("sticky.go:\n%s", got)
	}
}

// TestFixDisplaced has a finding in text that a //line directive says to come
// from another file, as cgo's output does: its fix would land there.
func TestFixDisplaced(t *testing.T) {
	module(t, fixture+`
-- moved/moved.go --
package moved

import "example.com/m/pool"

//line real.go:5
func f(x *pool.T) {
	pool.Put(x)
	pool.Put(x)
}
-- moved/real.go --
package moved

// A file that is long enough for the offsets of moved.go to fall into it.
// They mean nothing here.

//
//
//
`)
	before := read(t, "moved/real.go")
	exit, _, stderr := vet(t, "-fix", "-related=none", "-sarif=out.sarif", "./moved")
	if exit != 1 || stderr != "moved/real.go:7: x is put twice [double-put]\n" {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
	if read(t, "moved/real.go") != before || strings.Count(read(t, "moved/moved.go"), "Put(x)") != 2 {
		t.Error("a file was changed")
	}
	region := checkSARIF(t, read(t, "out.sarif")).Runs[0].Results[0].Locations[0].PhysicalLocation.Region
	if *region.StartLine != 7 || region.StartColumn != nil {
		t.Errorf("region %s", marshal(t, region))
	}
}

// TestFixOutside changes no file under a vendor directory.
func TestFixOutside(t *testing.T) {
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0
-- vendor/pool/pool.go --
package pool

func Put(*int) {}

func f(x *int) {
	Put(x)
	Put(x)
}
`)
	before := read(t, "vendor/pool/pool.go")
	t.Chdir("vendor/pool")
	if exit, _, stderr := vet(t, "-fix", "pool.go"); exit != 1 || !strings.Contains(stderr, "x is put twice") {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
	if read(t, "pool.go") != before {
		t.Error("a vendored file was changed")
	}
}
