// SPDX-License-Identifier: BSD-3-Clause

package poolkeep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolkeep"
)

// A generic wrapper puts what its type parameter stands for, whatever constraint that has.
func TestAnyWrapped(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, "anywrapped")
}
