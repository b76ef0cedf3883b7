// SPDX-License-Identifier: BSD-3-Clause

package poolput_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolput"
)

// Called literals and variables that name a method change nothing.
func TestForms(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolput.Analyzer, "forms")
}
