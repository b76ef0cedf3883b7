// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/poollife"
)

// What the fixes give, in the folder fixed, is among the cases: it compiles, and the reports are gone.
// What has no mechanical mend, in the folder unfixed, has no fix.
func Test(t *testing.T) {
	for _, r := range cases.Run(t, poollife.Analyzer) {
		if r.Pass == nil || r.Pass.Pkg.Path() != "unfixed" {
			continue
		}
		for _, d := range r.Diagnostics {
			if len(d.SuggestedFixes) > 0 {
				t.Errorf("%s: %s: the fix %q", r.Pass.Fset.Position(d.Pos), d.Message, d.SuggestedFixes[0].Message)
			}
		}
	}
}

func TestFix(t *testing.T) { cases.Fix(t, poollife.Analyzer) }
