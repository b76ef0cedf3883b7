// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

func Test(t *testing.T) {
	for _, p := range []string{"useafterput", "returnalias", "storealias", "goroutineuse", "doubleput", "missingput", "lostvalues", "forgottenput", "peers", "codecs", "facts", "lifecycle"} {
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
