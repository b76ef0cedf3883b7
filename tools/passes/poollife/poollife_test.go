// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

func Test(t *testing.T) {
	for _, p := range []string{"useafterput", "returnalias", "storealias", "goroutineuse", "doubleput", "missingput", "lostvalues", "lostpaths", "forgottenput", "peers", "codecs", "facts", "lifecycle", "ownership", "givenaway", "lentout", "dropped"} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, p) })
	}
}

func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), poollife.Analyzer, "fix")
}

// What the fixes give compiles, and the reports are gone.
func TestFixed(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "fixed")
}

// What has no mechanical mend has no fix.
func TestUnfixed(t *testing.T) {
	for _, r := range analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "unfixed") {
		for _, d := range r.Diagnostics {
			if len(d.SuggestedFixes) > 0 {
				t.Errorf("%s: %s: the fix %q", r.Pass.Fset.Position(d.Pos), d.Message, d.SuggestedFixes[0].Message)
			}
		}
	}
}
