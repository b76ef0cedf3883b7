// SPDX-License-Identifier: BSD-3-Clause

package poolcopy_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolcopy"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolcopy.Analyzer, "a", "generated")
}
