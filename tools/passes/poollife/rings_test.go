// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Arrays that serve as pools, and lists whose takers make nothing themselves.
func TestRings(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "rings")
}
