// SPDX-License-Identifier: BSD-3-Clause

package unusedignore_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/poolput"
	"github.com/spare-go/spare/tools/passes/unusedignore"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), unusedignore.Analyzer, "a", "generated")
}

// What no ignore comment is about is reported.
func TestSilenced(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolput.Analyzer, "silenced")
}

func TestFix(t *testing.T) { cases.Fix(t, unusedignore.Analyzer) }

// What the fixes give compiles, and the reports are gone.
func TestFixed(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), unusedignore.Analyzer, "fixed")
}
