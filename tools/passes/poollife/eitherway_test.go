// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Paths that return pooled memory, or drop it, where others do not.
func TestEitherWay(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "eitherway")
}
