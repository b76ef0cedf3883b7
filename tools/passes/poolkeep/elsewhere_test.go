// SPDX-License-Identifier: BSD-3-Clause

package poolkeep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolkeep"
)

// What is reset in another package, and what is set in other objects than the pooled ones.
func TestElsewhere(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, "elsewhere")
}
