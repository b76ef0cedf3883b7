// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// What is taken out of a field, and put only where a call succeeds.
func TestMovedOut(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "movedout")
}
