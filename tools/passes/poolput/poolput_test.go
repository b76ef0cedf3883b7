// SPDX-License-Identifier: BSD-3-Clause

package poolput_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolput"
)

func Test(t *testing.T) {
	for _, p := range []string{
		"a", "peers", "classes", "shortened", "bylen", "advanced", "fits", "firstfit", "localaddr", "headers",
		"parts", "lazynil", "rebound", "boundnil", "instances", "resetindex", "sizes", "sizesright", "sizesguessed",
		"wrappings", "reflected", "emptyheaders",
	} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poolput.Analyzer, p) })
	}
}

func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), poolput.Analyzer, "fix")
}

// What the fixes give compiles, and the reports are gone.
func TestFixed(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poolput.Analyzer, "fixed") }
