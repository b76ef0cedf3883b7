// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Who was sent a value may still use it when the path received something that is no answer.
func TestUnanswered(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "unanswered")
}

// What is left over: slots that are told by a number, values of which there are no more, Puts that wait
// for the end of a loop, references that nobody gives up; and pools that are shared by closures.
func TestLeftOver(t *testing.T) {
	for _, p := range []string{"slots", "scarce", "deferred", "references", "sharedpool"} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, p) })
	}
}
