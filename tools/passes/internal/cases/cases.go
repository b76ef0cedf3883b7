// SPDX-License-Identifier: BSD-3-Clause

// Package cases runs the cases of an analyzer, which are packages below its
// testdata/src.
package cases

import (
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/internal/underrace"
)

var only = flag.String("case", "", "comma-separated `packages` of testdata/src to analyze; default all")

// Run analyzes the folders of testdata/src that hold Go files, and asks for the reports
// that their comments want. They are loaded together: each load type-checks what they
// import of the standard library from source. The folder fix has golden files, and is
// left to [Fix]; flag -case selects. With -short it is one folder in six, and
// under the race detector one in 24, and the first at least.
func Run(t *testing.T, a *analysis.Analyzer) []*analysistest.Result {
	t.Helper()
	packages := slices.DeleteFunc(Folders(t, "testdata"), func(name string) bool { return name == fix })
	if (underrace.Enabled() || testing.Short()) && *only == "" {
		// The analysis of a package is one goroutine's work; what several share shows in a few of them, and so
		// does what a module's own requirements change.
		step := 6
		if underrace.Enabled() {
			step = 24
		}
		var some []string
		for k := 0; k < len(packages); k += step {
			some = append(some, packages[k])
		}
		packages = some
	}
	if *only != "" {
		all := packages
		packages = strings.Split(*only, ",")
		for _, name := range packages {
			if !slices.Contains(all, name) {
				t.Fatalf("-case: %s has no case %q; it has %s", a.Name, name, strings.Join(all, " "))
			}
		}
	}
	results := analysistest.Run(t, analysistest.TestData(), a, packages...)
	explained(t, results)
	return results
}

// explained asks every report for a place besides its own, and for a text with names that the source has: the SSA
// form calls function literals f$1, and values t0.
func explained(t *testing.T, results []*analysistest.Result) {
	t.Helper()
	for _, r := range results {
		for _, d := range r.Diagnostics {
			at := r.Pass.Fset.Position(d.Pos)
			if len(d.Related) == 0 {
				t.Errorf("%s: %s: nothing else is said of where the value was", at, d.Message)
			}
			texts := []string{d.Message}
			for _, rel := range d.Related {
				texts = append(texts, rel.Message)
			}
			for _, text := range texts {
				if made.MatchString(text) {
					t.Errorf("%s: %q has a name that is not the source's", at, text)
				}
			}
		}
	}
}

var made = regexp.MustCompile(`\w\$\d|(^|[ *&(])(t\d+|_)[ ,.)]`)

// Folders lists the folders of testdata/src that hold Go files.
func Folders(t *testing.T, testdata string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testdata, "src", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", testdata, err)
	}
	var names []string
	for _, file := range files {
		if name := filepath.Base(filepath.Dir(file)); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// IgnoreWants is for analysistest.Run where what the comments in the cases want is not what is tested.
type IgnoreWants struct{}

// Errorf hears nothing.
func (IgnoreWants) Errorf(string, ...any) {}

// fix is the folder whose reports have fixes.
const fix = "fix"

// fixed is the folder with what the fixes give, for [Run] to find nothing in.
const fixed = "fixed"

// Fix applies the fixes to the folder fix, and compares with its golden files. The files of
// the folder fixed must be these, but for the name of the package and what comments want.
func Fix(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), a, fix)
	golden, result := goFiles(t, fix, ".go.golden"), goFiles(t, fixed, ".go")
	for name, want := range golden {
		got, ok := result[name]
		if !ok {
			t.Errorf("%s/%s.go is missing: what the fixes give there is not analyzed", fixed, name)
		} else if got != want {
			t.Errorf("%s/%s.go is not %s/%s.go.golden: copy it, without what the comments want", fixed, name, fix, name)
		}
	}
	for name := range result {
		if _, ok := golden[name]; !ok {
			t.Errorf("%s/%s.go: there is no %s/%s.go.golden", fixed, name, fix, name)
		}
	}
}

var (
	wants   = regexp.MustCompile(`(?m)// want .*$|/\* want .*?\*/`)
	clause  = regexp.MustCompile(`(?m)^package \w+$`)
	lineEnd = regexp.MustCompile(`(?m)[ \t]+$`)
)

// goFiles reads the files of a folder of testdata/src, as code without the name of the package and
// what comments want.
func goFiles(t *testing.T, folder, ext string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "src", folder, "*"+ext))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s files in the folder %s: %v", ext, folder, err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err = format.Source(clause.ReplaceAll(wants.ReplaceAll(text, nil), []byte("package p")))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		texts[strings.TrimSuffix(filepath.Base(file), ext)] = string(lineEnd.ReplaceAll(text, nil))
	}
	return texts
}
