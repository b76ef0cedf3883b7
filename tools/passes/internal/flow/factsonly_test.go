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
	"github.com/spare-go/spare/tools/passes/internal/cases"
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
	packages := cases.Folders(t, dir)
	facts := func(only bool) map[string]any {
		flow.FactsOnly = only
		defer func() { flow.FactsOnly = false }()
		found := map[string]any{}
		for _, r := range analysistest.Run(cases.IgnoreWants{}, dir, flow.Analyzer, packages...) {
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

// TestSameWork analyses the cases' packages twice: each walk takes the same steps, and these cost the same. Where
// they did not, as a look at memory began with what came first in a map, a walk near its limits would
// find something in one run and nothing in the next.
func TestSameWork(t *testing.T) {
	if testing.Short() || underrace.Enabled() {
		t.Skip("analyses many cases twice, and shows nothing new under the race detector")
	}
	dir, err := filepath.Abs(filepath.Join("..", "..", "poollife", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	packages := cases.Folders(t, dir)
	type cost struct{ steps, work int }
	costs := func() map[string]cost {
		m := map[string]cost{}
		for _, r := range analysistest.Run(cases.IgnoreWants{}, dir, flow.Analyzer, packages...) {
			if r.Err != nil {
				t.Fatalf("%s: %v", r.Action, r.Err)
			}
			res := r.Result.(*flow.Result)
			m[r.Action.Package.ID] = cost{res.Steps, res.Work}
		}
		return m
	}
	want, got := costs(), costs()
	total := 0
	for _, name := range slices.Sorted(maps.Keys(want)) {
		total += want[name].steps
		if want[name] != got[name] {
			t.Errorf("%s: %+v, and then %+v", name, want[name], got[name])
		}
	}
	if len(want) < 20 || total < 100_000 {
		t.Errorf("%d steps in %d packages: these are not all the cases", total, len(want))
	}
}
