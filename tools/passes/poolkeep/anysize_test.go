// SPDX-License-Identifier: BSD-3-Clause

package poolkeep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolkeep"
)

// Channels that keep buffers of any size.
func TestAnySize(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, "anysize", "anysizeright", "anysizesmall")
}
