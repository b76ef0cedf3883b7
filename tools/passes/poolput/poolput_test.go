// SPDX-License-Identifier: BSD-3-Clause

package poolput_test

import (
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/pattern"
	"github.com/spare-go/spare/tools/passes/poolput"
)

// What the fixes give, in the folder fixed, is among the cases: it compiles, and the reports are gone.
func Test(t *testing.T) {
	for _, r := range cases.Run(t, poolput.Analyzer) {
		for _, d := range r.Diagnostics {
			// Where the other type comes from, or the variable; but nothing else says that a box is put.
			if box := strings.Contains(d.Message, "which nothing here expects"); !box && (d.Category == pattern.WrongType || d.Category == pattern.PutLocalAddr) && len(d.Related) == 0 {
				t.Errorf("%s: %s: no related position", r.Pass.Fset.Position(d.Pos), d.Message)
			}
		}
	}
}

func TestFix(t *testing.T) { cases.Fix(t, poolput.Analyzer) }
