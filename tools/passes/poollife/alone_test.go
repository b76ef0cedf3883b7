// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Locks in values that were put, and references that a pooled value of the path's own holds.
func TestAlone(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "alone")
}
