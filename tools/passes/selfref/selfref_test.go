// SPDX-License-Identifier: BSD-3-Clause

package selfref_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/selfref"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), selfref.Analyzer, "a", "generated")
}
