// SPDX-License-Identifier: BSD-3-Clause

package poolkeep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolkeep"
)

// What a pooled value remembers of the inputs of all its users, and records that it gathers.
func TestGrowing(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, "memogrows")
	analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, "records")
}
