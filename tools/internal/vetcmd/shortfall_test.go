// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"os"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/vetcmd"
)

// TestNothingAnalysed has command lines with which nothing is analysed: that is
// never a clean run, and the last line says so, and what to do.
func TestNothingAnalysed(t *testing.T) {
	const (
		goMod  = "-- go.mod --\nmodule example.com/m\n\ngo 1.26.0\n"
		other  = "-- a/a.go --\npackage a\n"
		never  = "-- never/never.go --\n//go:build never\n\npackage never\n"
		unable = "nothing was analysed: the go command cannot load what is named above; mend that and run again"
		noMod  = "nothing was analysed: no go.mod is in this directory or above it; run spare vet in a module, or make one with go mod init"
	)
	std := func(names string) string {
		return "nothing was analysed: spare vet leaves the standard library out, and no other package is named (" + names +
			"); to analyse it, run go vet -vettool=$(which spare) -poollife.std PACKAGES"
	}
	for _, tt := range []struct {
		name, files string
		args        []string
		above       string // in what is printed before
		want        string
	}{
		{"empty module", goMod, []string{"./..."}, `"./..." matched no packages`, "nothing was analysed: no package matches ./...; see go help packages for how to name some"},
		{"two patterns", goMod, []string{"./...", "example.com/m/..."}, `"./..." matched no packages`, "nothing was analysed: no package matches ./... example.com/m/...; see go help packages for how to name some"},
		{"excluded files", goMod + never, []string{"./..."}, `"./..." matched no packages`, "nothing was analysed: no package matches ./...; see go help packages for how to name some"},
		{"no package here", goMod + other, nil, "no Go files in ", unable},
		{"no such package", goMod + other, []string{"./nosuch"}, "nosuch: directory not found", unable},
		{"one of two", goMod + other, []string{"./a", "./nosuch"}, "nosuch: directory not found", unable},
		{"no module, pattern", other, []string{"./..."}, "pattern ./...: ", noMod},
		{"no module, here", other, nil, "go.mod file not found", noMod},
		{"standard library", goMod + other, []string{"errors"}, "", std("errors")},
		{"much of it", goMod, []string{"errors", "unsafe", "cmp", "iter", "math", "math/bits", "unicode"}, "", std("errors, unsafe, cmp, iter, math and 2 more")},
		{"no module, standard library", other, []string{"errors"}, "", std("errors")},
		{"broken package", goMod + "-- b/b.go --\npackage b\n\nvar _ = undeclared\n", []string{"./b"}, "undefined: undeclared", "not analysed: example.com/m/b; mend the errors above and run again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			module(t, tt.files)
			exit, stdout, stderr := vet(t, tt.args...)
			above, ok := strings.CutSuffix(stderr, "spare vet: "+tt.want+"\n")
			if exit != 2 || stdout != "" || !ok || !strings.Contains(above, tt.above) || tt.above == "" && above != "" {
				t.Errorf("exit %d, %q\n%s\nwant %q, and at the end %s", exit, stdout, stderr, tt.above, tt.want)
			}
			exit, stdout, stderr = vet(t, append([]string{"-json", "-sarif=out.sarif"}, tt.args...)...)
			if exit != 2 || stdout != "{}\n" || !strings.HasSuffix(stderr, "spare vet: "+tt.want+" (out.sarif was not written)\n") {
				t.Errorf("-json -sarif: exit %d, %q\n%s", exit, stdout, stderr)
			}
			if _, err := os.Stat("out.sarif"); !os.IsNotExist(err) {
				t.Errorf("out.sarif: %v", err)
			}
		})
	}
}

// TestStandardLibraryToo names it beside another package, which is analysed.
func TestStandardLibraryToo(t *testing.T) {
	module(t, fixture)
	if exit, stdout, stderr := vet(t, "unsafe", "./other"); exit != 1 || stdout != "" || stderr != otherFinding {
		t.Errorf("exit %d, %q\n%s", exit, stdout, stderr)
	}
	if exit, _, stderr := vet(t, "./pool", "unsafe"); exit != 0 || stderr != "" {
		t.Errorf("exit %d\n%s", exit, stderr)
	}
}

// TestAnalyseNothing has the call of spare report tell it, too.
func TestAnalyseNothing(t *testing.T) {
	module(t, fixture)
	for _, tt := range []struct{ arg, want string }{
		{"errors", "nothing was analysed: spare vet leaves the standard library out"},
		{"./nosuch", "directory not found"},
		{"./other", ""},
	} {
		_, broken, err := vetcmd.Analyse(t.Context(), []string{tt.arg}, "")
		if err != nil || !strings.Contains(broken, tt.want) || tt.want == "" && broken != "" {
			t.Errorf("%s: %q, %v; want %q", tt.arg, broken, err, tt.want)
		}
	}
}
