// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Pools behind wrappers of another package, and behind interfaces.
func TestWrapped(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "wrapped")
}
