// SPDX-License-Identifier: BSD-3-Clause

package report_test

import (
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// A file that imports "C" is one that somebody wrote, though an analyzer sees what cmd/cgo made of it: it is
// reported on and can be silenced, but not edited at the offsets of what it was made into.
func TestCgo(t *testing.T) {
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	enabled, cc, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if enabled != "1" {
		t.Skip("cgo is off")
	}
	if fields := strings.Fields(cc); len(fields) == 0 {
		t.Skip("there is no C compiler")
	} else if _, err := exec.LookPath(fields[0]); err != nil {
		t.Skip("there is no C compiler: ", err)
	}
	found := 0
	for _, r := range analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "usesc", "generatedc") {
		for _, d := range r.Diagnostics {
			found++
			if len(d.SuggestedFixes) > 0 {
				t.Errorf("%s has a fix", d.Message)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d reports, want 2", found)
	}
}
