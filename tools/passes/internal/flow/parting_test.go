// SPDX-License-Identifier: BSD-3-Clause

package flow_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/internal/underrace"
	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/internal/flow"
)

// TestWalksLeftOut walks what is left out otherwise, because it must end as a walk before it did, over its
// budget: nothing more is found, and it takes more steps.
func TestWalksLeftOut(t *testing.T) { sameWithLess(t, flow.WalkAnyway) }

// TestWalksGivenUp follows to their budget's end the walks that are given up before, because they have little hope to
// come to an end within it: nothing more is found in these packages, and it takes more steps.
func TestWalksGivenUp(t *testing.T) { sameWithLess(t, flow.WalkToEnd) }

// sameWithLess compares what is found as always with what is found where all is walked.
func sameWithLess(t *testing.T, all func(bool)) {
	if testing.Short() || underrace.Enabled() {
		t.Skip("shows nothing new under the race detector")
	}
	dir, err := filepath.Abs(filepath.Join("..", "..", "poollife", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	packages := []string{"aliases", "goroutineuse", "useafterput"} // which have roots that are over their budget
	type outcome struct {
		steps   int
		reports []string
	}
	results := func(anyway bool) map[string]outcome {
		all(anyway)
		defer all(false)
		m := map[string]outcome{}
		for _, r := range analysistest.Run(cases.IgnoreWants{}, dir, flow.Analyzer, packages...) {
			if r.Err != nil {
				t.Fatalf("%s: %v", r.Action, r.Err)
			}
			res := r.Result.(*flow.Result)
			o := outcome{steps: res.Steps}
			for _, f := range res.Findings {
				at := r.Pass.Fset.Position(f.Diagnostic.Pos)
				o.reports = append(o.reports, fmt.Sprintf("%s:%d: %s", filepath.Base(at.Filename), at.Line, f.Diagnostic.Message))
			}
			slices.Sort(o.reports)
			m[r.Action.Package.ID] = o
		}
		return m
	}
	without, with := results(false), results(true)
	saved := 0
	for _, name := range slices.Sorted(maps.Keys(without)) {
		x, y := without[name], with[name]
		if !slices.Equal(x.reports, y.reports) {
			t.Errorf("%s: %q with less, %q with all walks", name, x.reports, y.reports)
		}
		if y.steps > x.steps {
			saved++
			t.Logf("%s: %d steps, with all walks %d", name, x.steps, y.steps)
		}
	}
	if saved == 0 {
		t.Error("no walk took less: the test shows nothing, and needs other cases")
	}
}
