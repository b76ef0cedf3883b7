// SPDX-License-Identifier: BSD-3-Clause

package flow_test

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/internal/underrace"
	"github.com/spare-go/spare/tools/passes/internal/flow"
)

// TestFactsOnly asks for the same facts about the cases' packages whether their reports are
// wanted or not: otherwise what is found in a package would depend on whether those that it
// imports were named as well.
func TestFactsOnly(t *testing.T) {
	if testing.Short() || underrace.Enabled() {
		t.Skip("analyses many cases twice, and shows nothing new under the race detector")
	}
	dir, err := filepath.Abs(filepath.Join("..", "..", "poolkeep", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "src", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	var packages []string
	for _, f := range files {
		if p := filepath.Base(filepath.Dir(f)); !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	facts := func(only bool) map[string]any {
		flow.FactsOnly = only
		defer func() { flow.FactsOnly = false }()
		found := map[string]any{}
		for _, r := range analysistest.Run(ignoreWants{}, dir, flow.Analyzer, packages...) {
			if r.Err != nil {
				t.Fatalf("%s: %v", r.Action, r.Err)
			}
			for obj, list := range r.Facts {
				found[r.Action.Package.ID+": "+obj.String()] = list
			}
		}
		return found
	}
	want, got := facts(false), facts(true)
	if len(want) < 50 {
		t.Errorf("%d facts about all the cases", len(want))
	}
	names := maps.Clone(want)
	maps.Copy(names, got)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !reflect.DeepEqual(want[name], got[name]) {
			t.Errorf("%s:\nwith reports: %+v\nfacts only: %+v", name, want[name], got[name])
		}
	}
}

// ignoreWants hears nothing of the reports that comments in the cases ask for.
type ignoreWants struct{}

func (ignoreWants) Errorf(string, ...any) {}
